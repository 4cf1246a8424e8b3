// warpsan checks the synchronisation of GPU programs under the CUDA and PTX memory models.
//
// A session holds what several checks share (parsed models). A check appends to a list of results:
// one result for each input and model, as plain data that the functions below read and
// warpsan_print turns into text.
//
//   WarpsanSession *session;
//   WarpsanResults *results;
//   if (warpsan_session_new(&session) != WARPSAN_OK || warpsan_results_new(session, &results) !=
//   WARPSAN_OK)
//     ...
//   WarpsanOptions options = WARPSAN_OPTIONS_INIT;
//   warpsan_check_file(session, "mp.litmus", &options, results);
//   for (size_t i = 0; i < warpsan_results_count(results); i++)
//     puts(warpsan_verdict_name(warpsan_result_verdict(warpsan_results_get(results, i))));
//   warpsan_results_free(results);
//   warpsan_session_free(session);
//
// Rules that hold everywhere:
// - Pointers that a function returns belong to the object they were read from and die with it (for
//   results: at warpsan_results_clear or warpsan_results_free). The caller frees only sessions and
//   lists of results. Texts are zero-terminated; they are UTF-8 if the input was.
// - A session and its results are used by one thread at a time; different sessions are independent.
// - The library prints nothing, never exits and keeps no global state.
// - Indices are checked by assertions only: stay below the count.
#ifndef WARPSAN_WARPSAN_H
#define WARPSAN_WARPSAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WARPSAN_API __attribute__((visibility("default")))
#else
#define WARPSAN_API
#endif

typedef enum WarpsanStatus {
  WARPSAN_OK,           // done; what was found is in the results
  WARPSAN_BAD_INPUT,    // an input or a model is wrong; the diagnostics are in the results
  WARPSAN_BAD_ARGUMENT, // an argument is outside of what its description allows
  WARPSAN_NO_MEMORY,    // memory is exhausted; what the call had begun is undone
  WARPSAN_WRITE_FAILED, // the caller's write function reported failure
  WARPSAN_STOPPED,      // the caller's visit function asked to stop
} WarpsanStatus;

typedef struct WarpsanSession WarpsanSession;
typedef struct WarpsanResults WarpsanResults;
typedef struct WarpsanResult WarpsanResult;
typedef struct WarpsanFinding WarpsanFinding;
typedef struct WarpsanWitness WarpsanWitness;

// The version that this header belongs to, and that of the library.
#define WARPSAN_VERSION "0.1.0"
WARPSAN_API const char *warpsan_version(void);

// What a status means, in a few words; never NULL.
WARPSAN_API const char *warpsan_status_text(WarpsanStatus status);

// ---------------------------------------------------------------- sessions and lists of results

// Stores a new session in `*session`, or NULL with WARPSAN_NO_MEMORY.
WARPSAN_API WarpsanStatus warpsan_session_new(WarpsanSession **session);

// Frees a session; NULL is ignored. Its lists of results must have been freed before.
WARPSAN_API void warpsan_session_free(WarpsanSession *session);

// Stores a new, empty list of results in `*results`, or NULL with WARPSAN_NO_MEMORY.
WARPSAN_API WarpsanStatus warpsan_results_new(WarpsanSession *session, WarpsanResults **results);

// Empties a list and gives its memory back.
WARPSAN_API void warpsan_results_clear(WarpsanResults *results);

// Frees a list; NULL is ignored.
WARPSAN_API void warpsan_results_free(WarpsanResults *results);

// ---------------------------------------------------------------- checking

// Questions that a check asks; WarpsanOptions.properties is a sum of them.
enum {
  WARPSAN_PROPERTY_PROGRAM = 1,     // the condition of a litmus test
  WARPSAN_PROPERTY_TERMINATION = 2, // executions that get stuck
  WARPSAN_PROPERTY_RACE = 4,        // data races, and the flags of a .cat model
  WARPSAN_PROPERTY_ALL = 7,
};

// What a kernel's accesses mean.
typedef enum WarpsanLevel {
  WARPSAN_LEVEL_PTX,  // what the PTX says: volatile is relaxed, at system scope
  WARPSAN_LEVEL_CUDA, // what CUDA C++ says: only atomics are atomic
} WarpsanLevel;

// How to check. Start from WARPSAN_OPTIONS_INIT; zero in any field means its default.
typedef struct WarpsanOptions {
  size_t size; // sizeof(WarpsanOptions) of the caller, so that later versions can add fields
  // Names of built-in models, or .cat files (what contains '/' or ends in ".cat"). Default: "ptx"
  // for PTX tests, "tso" for X86 tests, that of `level` for kernels.
  const char *const *models;
  size_t model_count;
  unsigned properties;     // WARPSAN_PROPERTY_*; default all
  unsigned unroll;         // iterations of a loop with side effects; default 8, kernels 64
  unsigned jobs;           // worker threads; default 1
  uint64_t max_executions; // default: no limit
  double timeout_seconds;  // for each input and model; default: no limit
  uint64_t memory_bytes;   // for each input and model; default: no limit
  bool interpret;          // judge built-in models by their .cat text too
  bool omit_witness;       // build no witnesses, which saves time
  // Called now and then with the number of executions so far; may be NULL. It may be called from
  // a worker thread, one call at a time.
  void (*progress)(void *context, uint64_t executions);
  void *progress_context;
  // The rest is about kernels (.ptx, .cu and .c files). Launch lines (docs/kernels.md) are those of
  // the input's own comments, of `launch_file` and of the texts here, in this order.
  WarpsanLevel level;
  bool explore_races;          // follow what racing plain accesses may read, too
  const char *const *launches; // "kernel=add grid=2 block=32 args=x:u32[64]=iota"
  size_t launch_count;
  const char *const *finals; // "x[i] == 2 * i for i=0..63"
  size_t final_count;
  const char *relation;    // "concurrent", "sequential" or "pdl"; NULL: not stated
  const char *launch_file; // NULL: none. A .cu or .c file is the source that findings point into
  // Compilers for .cu and .c files: a path, or a name that is looked for on PATH, and what is added
  // to its command line. `clang`, if it is not NULL, is used instead of nvcc. Default: "nvcc".
  const char *nvcc, *nvcc_flags;
  const char *clang, *clang_flags;
  bool litmus_only; // kernels are bad input
  // A file that describes the machine that kernels run on (docs/machine.md); NULL: one on which
  // every atomic operation is atomic at the scope that it names.
  const char *machine;
} WarpsanOptions;

#define WARPSAN_OPTIONS_INIT                                                                       \
  {                                                                                                \
    sizeof(WarpsanOptions), NULL, 0, 0, 0, 0, 0, 0, 0, false, false, NULL, NULL,                   \
        WARPSAN_LEVEL_PTX, false, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, false,     \
        NULL                                                                                       \
  }

// Reads `path` ("-": standard input) and appends a result for each model. `options` may be NULL.
// A name that ends in .ptx, .cu or .c is that of kernels, another that of a litmus test, unless the
// text begins with `.version`, which is PTX.
// WARPSAN_BAD_INPUT: the file cannot be read, compiled or parsed, or a model cannot; a result
// without a verdict was appended whose findings say where and why.
WARPSAN_API WarpsanStatus warpsan_check_file(WarpsanSession *session, const char *path,
                                             const WarpsanOptions *options,
                                             WarpsanResults *results);

// The same for `length` bytes at `text`; `name` stands for the file name in messages.
WARPSAN_API WarpsanStatus warpsan_check_text(WarpsanSession *session, const char *name,
                                             const char *text, size_t length,
                                             const WarpsanOptions *options,
                                             WarpsanResults *results);

// Loads a model as a check would, so that errors in it are met once and before any input.
// Errors are appended to `results` as for a check.
WARPSAN_API WarpsanStatus warpsan_load_model(WarpsanSession *session, const char *model,
                                             bool interpret, WarpsanResults *results);

// Called for each input below a path; `path` is valid during the call. Non-zero: stop.
typedef int WarpsanVisit(void *context, const char *path);

// Visits `path` itself if it is no directory, else every *.litmus file below it, each folder's
// entries in the order of their bytes. Symbolic links to directories below `path` are not followed.
// Folders that cannot be read are appended to `results` as findings, with WARPSAN_BAD_INPUT.
WARPSAN_API WarpsanStatus warpsan_visit_inputs(WarpsanSession *session, const char *path,
                                               WarpsanVisit *visit, void *context,
                                               WarpsanResults *results);

// ---------------------------------------------------------------- results

typedef enum WarpsanVerdict {
  WARPSAN_VERDICT_NONE,      // no condition was judged: the findings are the verdict
  WARPSAN_VERDICT_ALLOWED,   // `exists`: some final state satisfies the condition
  WARPSAN_VERDICT_FORBIDDEN, // `exists`: none does
  WARPSAN_VERDICT_HOLDS,     // `~exists`, `forall`
  WARPSAN_VERDICT_VIOLATED,  // `~exists`, `forall`
  WARPSAN_VERDICT_UNKNOWN,   // the search was cut short before the answer was certain
} WarpsanVerdict;

// "allowed", "forbidden", ...; never NULL.
WARPSAN_API const char *warpsan_verdict_name(WarpsanVerdict verdict);

// What became of a result, for callers that only want to know whether to worry; the worst last.
typedef enum WarpsanOutcome {
  WARPSAN_OUTCOME_CLEAN,      // complete, nothing found
  WARPSAN_OUTCOME_INCOMPLETE, // cut short by a limit, and nothing found
  WARPSAN_OUTCOME_FINDINGS,   // findings, a violated condition, or a missed expectation
  WARPSAN_OUTCOME_BAD_INPUT,  // the input or the model could not be read or parsed
} WarpsanOutcome;

WARPSAN_API size_t warpsan_results_count(const WarpsanResults *results);
WARPSAN_API const WarpsanResult *warpsan_results_get(const WarpsanResults *results, size_t i);

WARPSAN_API WarpsanOutcome warpsan_result_outcome(const WarpsanResult *result);
WARPSAN_API WarpsanVerdict warpsan_result_verdict(const WarpsanResult *result);
// The file name as the caller wrote it.
WARPSAN_API const char *warpsan_result_input(const WarpsanResult *result);
// The test's own name; NULL if it has none.
WARPSAN_API const char *warpsan_result_test(const WarpsanResult *result);
// The model's name; NULL if the input could not be parsed.
WARPSAN_API const char *warpsan_result_model(const WarpsanResult *result);
// The proposition of the condition as written, without its quantifier; NULL if there is none.
WARPSAN_API const char *warpsan_result_condition(const WarpsanResult *result);
// Why the search is not complete, in words; NULL if it is.
WARPSAN_API const char *warpsan_result_incomplete(const WarpsanResult *result);
// Consistent executions that ran to their end, were met more than once, got stuck, were cut off.
WARPSAN_API uint64_t warpsan_result_executions(const WarpsanResult *result);
WARPSAN_API uint64_t warpsan_result_duplicates(const WarpsanResult *result);
WARPSAN_API uint64_t warpsan_result_blocked(const WarpsanResult *result);
WARPSAN_API uint64_t warpsan_result_cut(const WarpsanResult *result);
// Wall-clock time of the check.
WARPSAN_API double warpsan_result_seconds(const WarpsanResult *result);

// Final states: a value for each column ("P1:r0", "x"), and in how many executions it occurs.
WARPSAN_API size_t warpsan_result_column_count(const WarpsanResult *result);
WARPSAN_API const char *warpsan_result_column_name(const WarpsanResult *result, size_t column);
WARPSAN_API size_t warpsan_result_state_count(const WarpsanResult *result);
WARPSAN_API int64_t warpsan_result_state_value(const WarpsanResult *result, size_t state,
                                               size_t column);
WARPSAN_API uint64_t warpsan_result_state_executions(const WarpsanResult *result, size_t state);
// The proposition of the condition is true in this state.
WARPSAN_API bool warpsan_result_state_satisfies(const WarpsanResult *result, size_t state);

WARPSAN_API size_t warpsan_result_finding_count(const WarpsanResult *result);
WARPSAN_API const WarpsanFinding *warpsan_result_finding(const WarpsanResult *result, size_t i);
// The execution that satisfies or violates the condition, or the nearest forbidden candidate;
// NULL if none was built.
WARPSAN_API const WarpsanWitness *warpsan_result_witness(const WarpsanResult *result);

// ---------------------------------------------------------------- findings

typedef enum WarpsanSeverity {
  WARPSAN_SEVERITY_ERROR,
  WARPSAN_SEVERITY_WARNING,
  WARPSAN_SEVERITY_ADVICE,
} WarpsanSeverity;

// A place in an input. Lines and columns count from 1, columns in bytes. No place: file is NULL.
typedef struct WarpsanPlace {
  const char *file;
  uint32_t line, column;
  uint32_t end_line, end_column; // one past the last byte
} WarpsanPlace;

// The rule's stable id ("data-race", "syntax") and its sub-rule, which may be NULL.
WARPSAN_API const char *warpsan_finding_rule(const WarpsanFinding *finding);
WARPSAN_API const char *warpsan_finding_sub(const WarpsanFinding *finding);
WARPSAN_API WarpsanSeverity warpsan_finding_severity(const WarpsanFinding *finding);
WARPSAN_API WarpsanPlace warpsan_finding_place(const WarpsanFinding *finding);
// One line: what can go wrong.
WARPSAN_API const char *warpsan_finding_message(const WarpsanFinding *finding);
// Why the model allows it, and what to do about it; may be NULL.
WARPSAN_API const char *warpsan_finding_reason(const WarpsanFinding *finding);
WARPSAN_API const char *warpsan_finding_remedy(const WarpsanFinding *finding);
// Further places that belong to the finding.
WARPSAN_API size_t warpsan_finding_note_count(const WarpsanFinding *finding);
WARPSAN_API WarpsanPlace warpsan_finding_note_place(const WarpsanFinding *finding, size_t note);
WARPSAN_API const char *warpsan_finding_note_message(const WarpsanFinding *finding, size_t note);
// Proposed edits: replace what is at the place by the text.
WARPSAN_API size_t warpsan_finding_fix_count(const WarpsanFinding *finding);
WARPSAN_API WarpsanPlace warpsan_finding_fix_place(const WarpsanFinding *finding, size_t fix);
WARPSAN_API const char *warpsan_finding_fix_text(const WarpsanFinding *finding, size_t fix);
WARPSAN_API const char *warpsan_finding_fix_message(const WarpsanFinding *finding, size_t fix);
// The execution that shows it; NULL if there is none.
WARPSAN_API const WarpsanWitness *warpsan_finding_witness(const WarpsanFinding *finding);

// ---------------------------------------------------------------- witnesses

// WarpsanEvent.thread of an initial write.
#define WARPSAN_INITIAL UINT32_MAX

// An event of an execution: `label` is like "W.release.gpu flag = 1".
typedef struct WarpsanEvent {
  uint32_t thread; // below warpsan_witness_thread_count, or WARPSAN_INITIAL
  const char *label;
  WarpsanPlace place;
} WarpsanEvent;

// An edge: `relation` is "po", "rf", "co", "fr", "sync", ...; `from` and `to` are indices of
// events.
typedef struct WarpsanEdge {
  const char *relation;
  uint32_t from, to;
  bool highlighted; // part of the cycle, or an end of the missing order
} WarpsanEdge;

// What the execution shows; may be NULL.
WARPSAN_API const char *warpsan_witness_title(const WarpsanWitness *witness);
// The axiom that forbids the execution, NULL if the model allows it.
WARPSAN_API const char *warpsan_witness_axiom(const WarpsanWitness *witness);
// The cycle or the missing order in one line; may be NULL.
WARPSAN_API const char *warpsan_witness_explanation(const WarpsanWitness *witness);
WARPSAN_API size_t warpsan_witness_thread_count(const WarpsanWitness *witness);
// "P0@cta 0,gpu 0".
WARPSAN_API const char *warpsan_witness_thread_name(const WarpsanWitness *witness, size_t thread);
WARPSAN_API size_t warpsan_witness_event_count(const WarpsanWitness *witness);
WARPSAN_API WarpsanEvent warpsan_witness_event(const WarpsanWitness *witness, size_t event);
WARPSAN_API size_t warpsan_witness_edge_count(const WarpsanWitness *witness);
WARPSAN_API WarpsanEdge warpsan_witness_edge(const WarpsanWitness *witness, size_t edge);

// ---------------------------------------------------------------- printing

typedef enum WarpsanFormat {
  WARPSAN_FORMAT_TEXT,  // for people
  WARPSAN_FORMAT_JSON,  // one object a line for each result
  WARPSAN_FORMAT_SARIF, // SARIF 2.1.0, one document
  WARPSAN_FORMAT_HTML,  // one self-contained page
  WARPSAN_FORMAT_DOT,   // the witnesses as one Graphviz digraph
} WarpsanFormat;

// Text: what to do with results of outcome WARPSAN_OUTCOME_BAD_INPUT, so that a command can send
// them elsewhere.
typedef enum WarpsanErrors {
  WARPSAN_ERRORS_TOO,
  WARPSAN_ERRORS_ONLY,
  WARPSAN_ERRORS_NOT,
} WarpsanErrors;

// How to print. Start from WARPSAN_PRINT_OPTIONS_INIT.
typedef struct WarpsanPrintOptions {
  size_t size;       // sizeof(WarpsanPrintOptions) of the caller
  bool color;        // text: ANSI colours
  bool quiet;        // text: only what needs attention
  bool all_states;   // text: list every final state, however many
  bool omit_witness; // leave witnesses out
  WarpsanErrors errors;
} WarpsanPrintOptions;

#define WARPSAN_PRINT_OPTIONS_INIT                                                                 \
  { sizeof(WarpsanPrintOptions), false, false, false, false, WARPSAN_ERRORS_TOO }

// Takes `length` bytes; returns 0, or non-zero to give up with WARPSAN_WRITE_FAILED. It must not
// call the library with the session that is printing.
typedef int WarpsanWrite(void *context, const char *text, size_t length);

// Prints all results of a list. `options` may be NULL.
WARPSAN_API WarpsanStatus warpsan_print(WarpsanSession *session, const WarpsanResults *results,
                                        WarpsanFormat format, const WarpsanPrintOptions *options,
                                        WarpsanWrite *write, void *context);

typedef enum WarpsanPtxForm {
  WARPSAN_PTX_MODULE,  // the whole module, as PTX
  WARPSAN_PTX_KERNELS, // its kernels, with their parameters and a launch line to begin with
} WarpsanPtxForm;

// Reads the PTX of `path`, which may be a .cu or .c file for the compiler of `options`, and prints
// it. On WARPSAN_BAD_INPUT a result was appended whose findings say where and why.
WARPSAN_API WarpsanStatus warpsan_print_ptx(WarpsanSession *session, const char *path,
                                            const WarpsanOptions *options, WarpsanPtxForm form,
                                            WarpsanWrite *write, void *context,
                                            WarpsanResults *results);

// Prints the results of each input side by side: a row for each final state, a column for each
// model. Formats: text and json; another is WARPSAN_BAD_ARGUMENT.
WARPSAN_API WarpsanStatus warpsan_print_outcomes(WarpsanSession *session,
                                                 const WarpsanResults *results,
                                                 WarpsanFormat format,
                                                 const WarpsanPrintOptions *options,
                                                 WarpsanWrite *write, void *context);

// ---------------------------------------------------------------- built-in models and rules

WARPSAN_API size_t warpsan_model_count(void);
// The name of a built-in model, "ptx".
WARPSAN_API const char *warpsan_model_name(size_t model);
// Its .cat text.
WARPSAN_API const char *warpsan_model_text(size_t model);

WARPSAN_API size_t warpsan_rule_count(void);
// A rule's stable id, "data-race"; of a sub-rule its own id, "scope-too-narrow".
WARPSAN_API const char *warpsan_rule_id(size_t rule);
// The rule that a sub-rule belongs to; NULL for a rule.
WARPSAN_API const char *warpsan_rule_parent(size_t rule);
// What it means, in a sentence.
WARPSAN_API const char *warpsan_rule_meaning(size_t rule);
WARPSAN_API WarpsanSeverity warpsan_rule_severity(size_t rule);
// A few lines of code that have the problem, and the same put right; NULL if there is no example.
WARPSAN_API const char *warpsan_rule_bad_example(size_t rule);
WARPSAN_API const char *warpsan_rule_good_example(size_t rule);

#ifdef __cplusplus
}
#endif

#endif
