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
// - A session, its results and a test are used by one thread at a time; different sessions are
//   independent, and may be used by different threads at once.
// - The library prints nothing, never exits and keeps no global state, but for what each thread is
//   running under a check.
// - The binary interface: structures that may grow carry their size; names have versions, and the
//   soname of the shared library is its major version.
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

// When blocks, or threads of a block, that only differ in their numbers are explored once.
typedef enum WarpsanSymmetry {
  WARPSAN_SYMMETRY_AUTO, // when the search gets long
  WARPSAN_SYMMETRY_ALWAYS,
  WARPSAN_SYMMETRY_NEVER,
} WarpsanSymmetry;

// How to check. Start from WARPSAN_OPTIONS_INIT; zero in any field means its default.
typedef struct WarpsanOptions {
  size_t size; // sizeof(WarpsanOptions) of the caller, so that later versions can add fields
  // Names of built-in models, or .cat files (what contains '/' or ends in ".cat"). Default: "ptx"
  // for PTX tests, "tso" for X86 tests, "rc11" or with placed threads "cuda" for C
  // tests, that of `level` for kernels.
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
  bool explore_all; // leave out no execution for which another one stands
  // What must be found in kernels: a rule's id, "clean", or "stated": what each input says of
  // itself
  // (`// expect: RULE`, docs/launch.md). A finding that is expected is no reason to worry, and one
  // that is missing is a finding. NULL: findings are what they are.
  const char *expectation;
  WarpsanSymmetry symmetry;
  // A search of kernels ends so long after its first finding, incomplete. Default: 20 s if neither
  // timeout_seconds nor max_executions is set, else no limit.
  double seconds_after_finding;
  // A file whose lines name findings to hide (docs/commands.md); NULL: none. Also of
  // warpsan_run_file.
  const char *suppressions;
} WarpsanOptions;

#define WARPSAN_OPTIONS_INIT                                                                       \
  {                                                                                                \
    sizeof(WarpsanOptions), NULL, 0, 0, 0, 0, 0, 0, 0, false, false, NULL, NULL,                   \
        WARPSAN_LEVEL_PTX, false, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, false,     \
        NULL, false, NULL, WARPSAN_SYMMETRY_AUTO, 0, NULL                                          \
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

// ---- running

// Which thread goes on when several could.
typedef enum WarpsanSchedule {
  WARPSAN_SCHEDULE_RANDOM,
  WARPSAN_SCHEDULE_ROUND_ROBIN,
  WARPSAN_SCHEDULE_PCT, // random priorities that change now and then
} WarpsanSchedule;

// What `volatile` accesses are toward other threads.
typedef enum WarpsanVolatile {
  WARPSAN_VOLATILE_OF_LEVEL, // strong under WARPSAN_LEVEL_PTX, weak under WARPSAN_LEVEL_CUDA
  WARPSAN_VOLATILE_WEAK,
  WARPSAN_VOLATILE_STRONG,
} WarpsanVolatile;

// How to run. Start from WARPSAN_RUN_OPTIONS_INIT.
typedef struct WarpsanRunOptions {
  size_t size;   // sizeof(WarpsanRunOptions) of the caller
  uint64_t seed; // of the first run; the same seed gives the same run
  unsigned runs; // with one seed after the other; default 1
  WarpsanSchedule schedule;
  bool perturb; // delay threads at synchronisation, now and then
  WarpsanVolatile volatile_access;
  bool omit_races;      // look for no data races, which is faster; what races depends on `jobs`
  bool hide_same_value; // do not report threads that race by writing one value
  uint64_t max_instructions; // of all threads of a run; default: no limit
  // Called after the last run with each buffer's contents; may be NULL. It must not call the
  // library with the session.
  void (*buffer)(void *context, const char *name, const void *bytes, size_t length);
  void *buffer_context;
  bool all_races; // find every racing pair of a run, at the cost of memory and time
  // Loads may return older values than the newest one, as far as the memory model allows it. Runs
  // then take one thread, whatever `jobs` says.
  bool weak;
  // With `weak`: elements of a vector may be of different ages, as the PTX ISA allows; otherwise an
  // aligned vector that stays on one device is read as it was at one moment, as GPUs do.
  bool split_vectors;
} WarpsanRunOptions;

#define WARPSAN_RUN_OPTIONS_INIT                                                                   \
  {                                                                                                \
    sizeof(WarpsanRunOptions), 1, 0, WARPSAN_SCHEDULE_RANDOM, false, WARPSAN_VOLATILE_OF_LEVEL,    \
        false, false, 0, NULL, NULL, false, false, false                                           \
  }

// Runs the kernels of `path` once or several times at their real size and appends one result for
// all runs. `options` says what it says for a check (jobs, timeout_seconds, memory_bytes, level,
// launches, ...; models and properties say nothing here) and may be NULL, as may `run`.
// The result is complete if all runs came to their end.
WARPSAN_API WarpsanStatus warpsan_run_file(WarpsanSession *session, const char *path,
                                           const WarpsanOptions *options,
                                           const WarpsanRunOptions *run, WarpsanResults *results);
WARPSAN_API WarpsanStatus warpsan_run_text(WarpsanSession *session, const char *name,
                                           const char *text, size_t length,
                                           const WarpsanOptions *options,
                                           const WarpsanRunOptions *run, WarpsanResults *results);

// Loads a model as a check would, so that errors in it are met once and before any input.
// Errors are appended to `results` as for a check.
WARPSAN_API WarpsanStatus warpsan_load_model(WarpsanSession *session, const char *model,
                                             bool interpret, WarpsanResults *results);

// Called for each input below a path; `path` is valid during the call. Non-zero: stop.
typedef int WarpsanVisit(void *context, const char *path);

// Called for a file that is passed over, with the reason: "it has no line '// launch: ...'".
typedef void WarpsanSkip(void *context, const char *path, const char *reason);

// Visits `path` itself if it is no directory, else every *.litmus file below it, each folder's
// entries in the order of their bytes. Symbolic links to directories below `path` are not followed.
// Folders that cannot be read are appended to `results` as findings, with WARPSAN_BAD_INPUT.
WARPSAN_API WarpsanStatus warpsan_visit_inputs(WarpsanSession *session, const char *path,
                                               WarpsanVisit *visit, void *context,
                                               WarpsanResults *results);

// The same, with kernels: also *.cu, *.c and *.ptx files that have a launch line, or all of them if
// `options` has launches. PTX beside a .cu or .c file of the same stem is what that was compiled
// to, and not visited. `skip` may be NULL.
WARPSAN_API WarpsanStatus warpsan_visit_kernels(WarpsanSession *session, const char *path,
                                                const WarpsanOptions *options, WarpsanVisit *visit,
                                                WarpsanSkip *skip, void *context,
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
// Of results of warpsan_run_*: instructions and memory accesses of all threads, in all runs. 0 of
// others.
WARPSAN_API uint64_t warpsan_result_instructions(const WarpsanResult *result);
WARPSAN_API uint64_t warpsan_result_accesses(const WarpsanResult *result);
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
// Accesses in the order in which they happen in one run, as indices of events; none if no such
// order is shown, as for an execution that only a weak behaviour explains.
WARPSAN_API size_t warpsan_witness_order_count(const WarpsanWitness *witness);
WARPSAN_API size_t warpsan_witness_order(const WarpsanWitness *witness, size_t position);
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
  size_t first; // results before this one are left out
} WarpsanPrintOptions;

#define WARPSAN_PRINT_OPTIONS_INIT                                                                 \
  { sizeof(WarpsanPrintOptions), false, false, false, false, WARPSAN_ERRORS_TOO, 0 }

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
// What to do about it, in a sentence; NULL where the findings say it all.
WARPSAN_API const char *warpsan_rule_remedy(size_t rule);
WARPSAN_API WarpsanSeverity warpsan_rule_severity(size_t rule);
// A few lines of code that have the problem, and the same put right; NULL if there is no example.
WARPSAN_API const char *warpsan_rule_bad_example(size_t rule);
WARPSAN_API const char *warpsan_rule_good_example(size_t rule);

// ---------------------------------------------------------------- checking C functions
//
// A test of C functions: memory that they share, and launches that run them as the threads of grids
// or of the host. The functions are written with warpsan/scoped.h and compiled with
// WARPSAN_CHECK defined, so that each operation on shared memory is one that the checker decides.
// docs/functions.md tells how to write such a test.
//
//   int data, flag;
//   void writer(const WarpsanThread *thread, void *argument) { ... }
//   WarpsanTest *test;
//   warpsan_test_new("message passing", &test);
//   warpsan_test_memory(test, "data", &data, sizeof data);
//   warpsan_test_memory(test, "flag", &flag, sizeof flag);
//   warpsan_test_launch(test, &(WarpsanLaunch){sizeof(WarpsanLaunch), "writer", writer, NULL});
//   warpsan_test_launch(test, &(WarpsanLaunch){sizeof(WarpsanLaunch), "reader", reader, NULL});
//   exit(scoped_test_main(test));

typedef struct WarpsanTest WarpsanTest;

typedef struct WarpsanSize3 {
  uint32_t x, y, z;
} WarpsanSize3;

// WarpsanThread.device of a thread of the host.
#define WARPSAN_HOST UINT32_MAX

// What a thread is told about itself; valid while its function runs.
typedef struct WarpsanThread {
  WarpsanSize3 grid_size, block_size; // in blocks, in threads
  WarpsanSize3 cluster_size;          // in blocks
  WarpsanSize3 block, thread;         // indices
  uint32_t device;                    // or WARPSAN_HOST
  void *shared; // the block's shared memory, which starts undefined; NULL: it has none
} WarpsanThread;

// A function that a thread runs. It may be run many times, may be left in the middle for good, and
// may depend on nothing but its arguments and what operations of warpsan/scoped.h return. Memory
// that it allocates and does not free before its next operation is lost.
typedef void WarpsanFunction(const WarpsanThread *thread, void *argument);

// A launch. Zero in any field after `function` means its default.
typedef struct WarpsanLaunch {
  size_t size;      // sizeof(WarpsanLaunch) of the caller
  const char *name; // of the function, for messages; copied
  WarpsanFunction *function;
  void *argument;           // given to each thread; not owned
  WarpsanSize3 grid, block; // blocks, threads of a block; 0 counts as 1
  WarpsanSize3 cluster;     // blocks of a cluster; clusters lie along x, and divide the grid
  uint32_t device;          // number of the device
  uint32_t stream;          // launches of one stream run one after the other, others together
  uint32_t resident_blocks; // blocks that run at a time; default all
  uint64_t shared_bytes;    // shared memory of each block
  bool is_host;             // threads of the host: `grid` times `block` of them
  bool is_cooperative;      // all blocks run together
} WarpsanLaunch;

// Stores a new test in `*test`, or NULL with WARPSAN_NO_MEMORY. `name` is copied.
WARPSAN_API WarpsanStatus warpsan_test_new(const char *name, WarpsanTest **test);

// Frees a test; NULL is ignored. Results of it stay valid.
WARPSAN_API void warpsan_test_free(WarpsanTest *test);

// Declares `size` bytes at `address`, which the caller owns and keeps. Each execution begins with
// what they hold when a check begins, and after a check they hold that again. `name` is copied.
// WARPSAN_BAD_ARGUMENT: no bytes, or they overlap what was declared before.
WARPSAN_API WarpsanStatus warpsan_test_memory(WarpsanTest *test, const char *name, void *address,
                                              size_t size);

// The same for memory whose initial contents nothing may rely on.
WARPSAN_API WarpsanStatus warpsan_test_undefined_memory(WarpsanTest *test, const char *name,
                                                        void *address, size_t size);

// Adds a launch, behind those before it in its stream. WARPSAN_BAD_ARGUMENT: no function, a cluster
// that does not divide the grid, more than 1,024 threads in a block or 4,096 in the test.
WARPSAN_API WarpsanStatus warpsan_test_launch(WarpsanTest *test, const WarpsanLaunch *launch);

// What must hold after every execution: `holds` is called with the final contents in the declared
// memory, and must not change it. `file`, `line` and `text` say where and what that is, for
// messages; `text` is copied, `file` must stay valid.
WARPSAN_API WarpsanStatus warpsan_test_final(WarpsanTest *test, bool (*holds)(void *context),
                                             void *context, const char *file, unsigned line,
                                             const char *text);

// Explores every execution of the test, and appends a result for each model: built-in ones (cuda is
// the default) and .cat files. The functions run on the calling thread; `jobs` says nothing here. A
// result is incomplete, and says so, where a limit was reached.
// WARPSAN_BAD_ARGUMENT: there is no launch. WARPSAN_BAD_INPUT: a model cannot be read.
// Checks on different threads of the system are independent of each other, if they share neither a
// session nor a test nor declared memory.
WARPSAN_API WarpsanStatus warpsan_check_function(WarpsanSession *session, WarpsanTest *test,
                                                 const WarpsanOptions *options,
                                                 WarpsanResults *results);

// Checks a test, frees it, and prints what was found to `write` (NULL: nothing is printed). Returns
// an exit status: 0 nothing found, 1 findings, 2 bad arguments, 3 incomplete, 4 out of memory.
WARPSAN_API int warpsan_test_run(WarpsanTest *test, const WarpsanOptions *options,
                                 WarpsanWrite *write, void *context);

// A place in the source of a function, constant and not owned by the library.
typedef struct WarpsanSite {
  const char *file;
  const char *text; // what is accessed, as it is written
  uint32_t line;
} WarpsanSite;

// An operation of a function, as warpsan/scoped.h asks for it: `code` says which, operands are the
// address and up to two values, or what src/host/operation.def says. Returns the value read, or 0.
// Outside of every check it is carried out at once, for one thread.
WARPSAN_API uint64_t warpsan_operation(const WarpsanSite *site, uint32_t code, uint64_t address,
                                       uint64_t first, uint64_t second, uint64_t third);

#ifdef __cplusplus
}
#endif

#endif
