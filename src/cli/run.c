#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/progress.h"

// How many inputs ended how.
typedef struct Tally {
  size_t inputs, skipped;
  size_t outcomes[WARPSAN_OUTCOME_BAD_INPUT + 1];
} Tally;

typedef struct Run {
  const RunOptions *options;
  WarpsanOptions check;
  WarpsanPrintOptions print;
  WarpsanSession *session;
  WarpsanResults *results;
  size_t seen; // results that were counted and whose errors were shown
  Output output;
  Progress progress;
  Tally tally;
  const char *operand; // whose inputs are visited
  bool is_stopped;     // the output failed, or the program has a fault
} Run;

static bool wants_color(const CommandLine *line, FILE *file) {
  if (line->color != COLOR_AUTO)
    return line->color == COLOR_ALWAYS;
  const char *terminal = getenv("TERM");
  const char *no_color = getenv("NO_COLOR");
  return isatty(fileno(file)) && !(terminal && strcmp(terminal, "dumb") == 0) &&
         !(no_color && no_color[0]);
}

// SARIF, HTML and dot are one document each; text and JSON are printed input by input.
static bool is_document(WarpsanFormat format) {
  return format != WARPSAN_FORMAT_TEXT && format != WARPSAN_FORMAT_JSON;
}

static WarpsanOutcome larger(WarpsanOutcome a, WarpsanOutcome b) {
  return a > b ? a : b;
}

// Counts the results of one input under the worst of their outcomes.
static WarpsanOutcome count_outcome(Run *run) {
  WarpsanOutcome worst = WARPSAN_OUTCOME_CLEAN;
  for (; run->seen < warpsan_results_count(run->results); run->seen++)
    worst = larger(worst, warpsan_result_outcome(warpsan_results_get(run->results, run->seen)));
  run->tally.inputs++;
  run->tally.outcomes[worst]++;
  return worst;
}

static void print_list(Run *run, WarpsanResults *results, WarpsanFormat format,
                       const WarpsanPrintOptions *options, RunPrint *print, FILE *file) {
  WarpsanStatus status = print(run->session, results, format, options, output_write, file);
  if (status == WARPSAN_OK)
    return;
  // output_end says why a write failed.
  if (status != WARPSAN_WRITE_FAILED)
    complain("cannot print the results: %s", warpsan_status_text(status));
  run->is_stopped = true;
}

// Errors of the results from `first` on; they are for people, in every format.
static void print_errors(Run *run, size_t first) {
  const CommandLine *line = run->options->line;
  WarpsanPrintOptions options = WARPSAN_PRINT_OPTIONS_INIT;
  options.color = wants_color(line, stderr);
  options.errors = WARPSAN_ERRORS_ONLY;
  options.first = first;
  fflush(run->output.file); // so that a terminal shows things in their order
  print_list(run, run->results, WARPSAN_FORMAT_TEXT, &options, warpsan_print, stderr);
}

static void print_results(Run *run) {
  print_list(run, run->results, run->options->line->format, &run->print, run->options->print,
             run->output.file);
}

// Counts and shows what one call of the library appended.
static void finish_input(Run *run) {
  size_t first = run->seen;
  if (first == warpsan_results_count(run->results))
    return;
  if (count_outcome(run) == WARPSAN_OUTCOME_BAD_INPUT)
    print_errors(run, first);
  if (is_document(run->options->line->format))
    return;
  print_results(run);
  warpsan_results_clear(run->results);
  run->seen = 0;
}

// Litmus tests of a folder are nothing to run.
static bool is_passed_over(const Run *run, const char *path) {
  static const char suffix[] = ".litmus";
  size_t length = strlen(path), suffix_length = sizeof suffix - 1;
  return run->options->run && strcmp(path, run->operand) != 0 && length > suffix_length &&
         strcmp(path + length - suffix_length, suffix) == 0;
}

static int visit_input(void *context, const char *path) {
  Run *run = context;
  if (is_passed_over(run, path))
    return 0;
  progress_begin(&run->progress, path, run->options->run ? "instructions" : "executions");
  const WarpsanRunOptions *options = run->options->run;
  WarpsanStatus status =
      options ? warpsan_run_file(run->session, path, &run->check, options, run->results)
              : warpsan_check_file(run->session, path, &run->check, run->results);
  progress_end(&run->progress);
  if (status == WARPSAN_NO_MEMORY) {
    complain("%s: out of memory", path);
    run->tally.inputs++;
    run->tally.outcomes[WARPSAN_OUTCOME_INCOMPLETE]++;
  }
  finish_input(run);
  return run->is_stopped || status == WARPSAN_BAD_ARGUMENT;
}

// Files of a folder that are no inputs, the first of them by name.
static void skip_input(void *context, const char *path, const char *reason) {
  enum { MOST_SKIPPED = 20 };
  Run *run = context;
  const CommandLine *line = run->options->line;
  run->tally.skipped++;
  if (line->quiet || run->tally.skipped > MOST_SKIPPED)
    return;
  fflush(run->output.file);
  fprintf(stderr, "warpsan: skipped %s: %s\n", path, reason);
}

static WarpsanStatus visit_inputs(Run *run, const char *operand) {
  if (run->check.litmus_only)
    return warpsan_visit_inputs(run->session, operand, visit_input, run, run->results);
  return warpsan_visit_kernels(run->session, operand, &run->check, visit_input, skip_input, run,
                               run->results);
}

static void visit_operand(Run *run, const char *operand) {
  size_t inputs_before = run->tally.inputs;
  run->operand = operand;
  WarpsanStatus status = visit_inputs(run, operand);
  finish_input(run); // folders that cannot be read
  if (status == WARPSAN_BAD_ARGUMENT)
    complain("expected the name of a file, found '%s'", operand);
  else if (status == WARPSAN_NO_MEMORY)
    complain("%s: out of memory", operand);
  else if (run->tally.inputs > inputs_before || run->is_stopped)
    return;
  else if (run->check.litmus_only)
    complain("expected *.litmus files below '%s', found none", operand);
  else
    complain("expected %skernels with launch lines%s below '%s', found none",
             run->options->run ? "" : "*.litmus files, or ", run->options->run ? "" : ",", operand);
  run->tally.inputs++;
  run->tally.outcomes[WARPSAN_OUTCOME_BAD_INPUT]++;
}

// Models are loaded before any input, so that a mistake in one is told once.
static bool load_models(Run *run) {
  bool is_ok = true;
  for (size_t i = 0; i < run->check.model_count; i++)
    is_ok &= warpsan_load_model(run->session, run->check.models[i], run->check.interpret,
                                run->results) == WARPSAN_OK;
  if (is_ok)
    return true;
  finish_input(run);
  return false;
}

static void print_summary(const Run *run) {
  const Tally *tally = &run->tally;
  const CommandLine *line = run->options->line;
  if (tally->inputs + tally->skipped < 2 || line->quiet || line->format != WARPSAN_FORMAT_TEXT)
    return;
  fflush(run->output.file);
  fprintf(stderr, "warpsan: %zu input%s: %zu clean, %zu with findings, %zu incomplete, %zu bad",
          tally->inputs, tally->inputs == 1 ? "" : "s", tally->outcomes[WARPSAN_OUTCOME_CLEAN],
          tally->outcomes[WARPSAN_OUTCOME_FINDINGS], tally->outcomes[WARPSAN_OUTCOME_INCOMPLETE],
          tally->outcomes[WARPSAN_OUTCOME_BAD_INPUT]);
  fprintf(stderr, tally->skipped ? ", %zu skipped\n" : "\n", tally->skipped);
}

static int exit_status(const Run *run) {
  const Tally *tally = &run->tally;
  if (tally->outcomes[WARPSAN_OUTCOME_BAD_INPUT] > 0)
    return EXIT_USAGE;
  if (tally->outcomes[WARPSAN_OUTCOME_FINDINGS] > 0 && run->options->findings_count)
    return EXIT_FINDINGS;
  if (tally->outcomes[WARPSAN_OUTCOME_INCOMPLETE] > 0)
    return EXIT_INCOMPLETE;
  return EXIT_CLEAN;
}

static void visit_operands(Run *run) {
  const CommandLine *line = run->options->line;
  for (size_t i = 0; i < line->operand_count && !run->is_stopped; i++)
    visit_operand(run, line->operands[i]);
  if (is_document(line->format) && !run->is_stopped)
    print_results(run);
}

static bool begin_run(Run *run) {
  const CommandLine *line = run->options->line;
  if (!output_begin(&run->output, line->output))
    return false;
  run->check = run->options->check;
  run->check.progress = progress_update;
  run->check.progress_context = &run->progress;
  run->print = (WarpsanPrintOptions)WARPSAN_PRINT_OPTIONS_INIT;
  run->print.color = wants_color(line, run->output.file);
  run->print.quiet = line->quiet;
  run->print.all_states = line->all_states;
  run->print.omit_witness = line->check.omit_witness;
  run->print.errors = WARPSAN_ERRORS_NOT;
  return true;
}

static int run_session(Run *run) {
  if (warpsan_session_new(&run->session) != WARPSAN_OK ||
      warpsan_results_new(run->session, &run->results) != WARPSAN_OK) {
    complain("out of memory");
    return EXIT_INCOMPLETE;
  }
  if (!load_models(run))
    return EXIT_USAGE;
  visit_operands(run);
  print_summary(run);
  return exit_status(run);
}

int run_inputs(const RunOptions *options) {
  if (options->line->operand_count == 0) {
    complain("expected a file, found nothing; see 'warpsan help %s'",
             command_infos[options->line->command].name);
    return EXIT_USAGE;
  }
  Run run = {.options = options};
  if (!begin_run(&run))
    return EXIT_USAGE;
  int status = run_session(&run);
  warpsan_results_free(run.results);
  warpsan_session_free(run.session);
  bool is_written = output_end(&run.output, !run.is_stopped);
  return is_written && !run.is_stopped ? status : EXIT_USAGE;
}
