#include "report/text.h"

#include <string.h>

enum {
  STATES_SHOWN = 16, // unless all are asked for
  CONDITION_BYTES_SHOWN = 200,
};

void text_begin_paint(const Report *report, Paint paint) {
  static const char *const codes[] = {
      [PAINT_ERROR] = "\033[1;31m", [PAINT_WARNING] = "\033[1;35m", [PAINT_NOTE] = "\033[1;36m",
      [PAINT_GOOD] = "\033[1;32m",  [PAINT_STRONG] = "\033[1m",     [PAINT_FAINT] = "\033[2m",
  };
  if (report->options->color)
    writer_text(report->writer, codes[paint]);
}

void text_end_paint(const Report *report) {
  if (report->options->color)
    writer_text(report->writer, "\033[0m");
}

static void print_count(Writer *writer, uint64_t count, const char *noun) {
  writer_unsigned(writer, count);
  writer_text(writer, " ");
  writer_text(writer, noun);
  if (count != 1)
    writer_text(writer, "s");
}

static Paint verdict_paint(Verdict verdict) {
  switch (verdict) {
  case VERDICT_VIOLATED:
    return PAINT_ERROR;
  case VERDICT_UNKNOWN:
    return PAINT_WARNING;
  case VERDICT_HOLDS:
    return PAINT_GOOD;
  default:
    return PAINT_STRONG;
  }
}

static void print_condition(Writer *writer, const Result *result) {
  const char *text = result->condition_text ? result->condition_text : "";
  size_t length = strlen(text);
  bool is_cut = length > CONDITION_BYTES_SHOWN;
  writer_text(writer, "  (");
  writer_text(writer, report_condition_name(result->condition));
  writer_text(writer, " ");
  writer_escape(writer, ESCAPE_ONE_LINE, text, is_cut ? CONDITION_BYTES_SHOWN : length);
  writer_text(writer, is_cut ? "...)" : ")");
}

// A result without a condition has its findings for a verdict.
static void print_findings_verdict(const Report *report, const Result *result) {
  bool is_clean = result->findings.count == 0;
  text_begin_paint(report, is_clean ? PAINT_GOOD : PAINT_ERROR);
  if (!is_clean) {
    print_count(report->writer, result->findings.count, "finding");
    if (result->findings_are_expected)
      writer_text(report->writer, ", as expected");
  } else if (result->is_kernel)
    writer_text(report->writer, result->incomplete ? "no finding so far" : "no finding");
  else
    writer_text(report->writer, result->incomplete ? "nothing found so far" : "nothing found");
  text_end_paint(report);
}

static void print_completeness(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  if (!result->incomplete) {
    writer_text(writer, "complete");
    return;
  }
  text_begin_paint(report, PAINT_WARNING);
  writer_text(writer, "incomplete");
  text_end_paint(report);
  writer_text(writer, ": ");
  writer_escape_text(writer, ESCAPE_ONE_LINE, result->incomplete);
}

static void print_run_counts(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  const RunCounts *run = result->run;
  writer_text(writer, " (");
  print_count(writer, result->executions, "run");
  writer_text(writer, " of ");
  print_count(writer, run->threads, "thread");
  writer_text(writer, " in ");
  print_count(writer, run->blocks, "block");
  writer_text(writer, ", ");
  print_count(writer, run->instructions, "instruction");
  writer_format(writer, ", %llu accesses, ", (unsigned long long)run->accesses);
  print_count(writer, run->barriers, "barrier");
  writer_format(writer, ", %.2f s, ", result->seconds);
  if (result->suppressed > 0)
    writer_format(writer, "%llu suppressed, ", (unsigned long long)result->suppressed);
  print_completeness(report, result);
  writer_text(writer, ")");
}

// All of it in the headline: kernels have no states.
static void print_kernel_counts(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  writer_text(writer, " (");
  print_count(writer, result->executions, "execution");
  if (result->symmetry)
    writer_format(writer, " up to the order of %s", result->symmetry);
  if (result->blocked > 0)
    writer_format(writer, ", %llu blocked", (unsigned long long)result->blocked);
  if (result->duplicates > 0) {
    writer_text(writer, ", ");
    print_count(writer, result->duplicates, "duplicate");
  }
  if (result->cut > 0)
    writer_format(writer, ", %llu cut", (unsigned long long)result->cut);
  if (result->suppressed > 0)
    writer_format(writer, ", %llu suppressed", (unsigned long long)result->suppressed);
  writer_text(writer, ", ");
  print_completeness(report, result);
  writer_text(writer, ")");
}

static void print_headline(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  Verdict verdict = report_verdict(result);
  writer_escape_text(writer, ESCAPE_PLAIN, result->input);
  writer_text(writer, ": ");
  writer_escape_text(writer, ESCAPE_PLAIN, result->model);
  writer_text(writer, ": ");
  if (verdict == VERDICT_NONE) {
    print_findings_verdict(report, result);
    if (result->run)
      print_run_counts(report, result);
    else if (result->is_kernel)
      print_kernel_counts(report, result);
  } else {
    text_begin_paint(report, verdict_paint(verdict));
    writer_text(writer, report_verdict_name(verdict));
    text_end_paint(report);
    if (result->verdict_is_expected)
      writer_text(writer, ", as expected");
    print_condition(writer, result);
  }
  writer_text(writer, "\n");
}

static void print_counts(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  writer_text(writer, "  ");
  print_count(writer, result->executions, "execution");
  writer_text(writer, ", ");
  writer_unsigned(writer, result->blocked);
  writer_text(writer, " blocked, ");
  print_count(writer, result->state_count, "state");
  if (result->duplicates > 0) {
    writer_text(writer, ", ");
    print_count(writer, result->duplicates, "duplicate");
  }
  if (result->cut > 0) {
    writer_text(writer, ", ");
    writer_unsigned(writer, result->cut);
    writer_text(writer, " cut");
  }
  if (result->suppressed > 0)
    writer_format(writer, ", %llu suppressed", (unsigned long long)result->suppressed);
  writer_text(writer, "\n");
  if (!result->incomplete)
    return;
  writer_text(writer, "  ");
  text_begin_paint(report, PAINT_WARNING);
  writer_text(writer, "incomplete");
  text_end_paint(report);
  writer_text(writer, ": ");
  writer_escape_text(writer, ESCAPE_ONE_LINE, result->incomplete);
  writer_text(writer, "\n");
}

// `*` marks the states in which the proposition is true.
static void print_state(const Report *report, const Result *result, const ResultState *state) {
  Writer *writer = report->writer;
  bool is_marked = state->satisfies && result->condition != CONDITION_NONE;
  writer_text(writer, is_marked ? "  * " : "    ");
  for (uint32_t i = 0; i < result->column_count; i++) {
    writer_escape_text(writer, ESCAPE_PLAIN, result->columns[i]);
    writer_text(writer, "=");
    writer_signed(writer, state->values[i]);
    writer_text(writer, " ");
  }
  text_begin_paint(report, PAINT_FAINT);
  writer_text(writer, "  in ");
  print_count(writer, state->count, "execution");
  text_end_paint(report);
  writer_text(writer, "\n");
}

static void print_states(const Report *report, const Result *result) {
  if (result->column_count == 0 || result->state_count == 0)
    return;
  uint32_t shown = result->state_count;
  if (!report->options->all_states && shown > STATES_SHOWN)
    shown = STATES_SHOWN;
  writer_text(report->writer, "  states:\n");
  for (uint32_t i = 0; i < shown; i++)
    print_state(report, result, &result->states[i]);
  if (shown == result->state_count)
    return;
  writer_text(report->writer, "    ... and ");
  writer_unsigned(report->writer, result->state_count - shown);
  writer_text(report->writer, " more (--states lists all)\n");
}

// Why the condition cannot be met, in terms of the axioms.
static void print_forbidding_axiom(const Report *report, const Result *result) {
  const Witness *witness = result->witness;
  Writer *writer = report->writer;
  writer_text(writer, result->thin_air_only
                          ? "  forbidden only because no value comes out of thin air"
                          : "  forbidden");
  writer_text(writer, " by ");
  text_begin_paint(report, PAINT_STRONG);
  writer_escape_text(writer, ESCAPE_ONE_LINE, witness->axiom);
  text_end_paint(report);
  if (witness->explanation) {
    writer_text(writer, ": ");
    writer_escape_text(writer, ESCAPE_ONE_LINE, witness->explanation);
  }
  writer_text(writer, "\n");
}

static void print_result_witness(const Report *report, const Result *result) {
  const Witness *witness = result->witness;
  if (!witness)
    return;
  if (witness->axiom)
    print_forbidding_axiom(report, result);
  if (report->options->omit_witness)
    return;
  Writer *writer = report->writer;
  writer_text(writer, "  ");
  if (witness->axiom)
    writer_text(writer, "the nearest forbidden candidate");
  else
    writer_escape_text(writer, ESCAPE_ONE_LINE, witness->title ? witness->title : "execution");
  writer_text(writer, ":\n");
  text_print_witness(report, witness, 4);
}

static bool is_wanted(const Report *report, const Result *result) {
  bool is_error = report_outcome(result) == OUTCOME_BAD_INPUT;
  if (is_error)
    return report->options->errors != REPORT_ERRORS_NOT;
  if (report->options->errors == REPORT_ERRORS_ONLY)
    return false;
  return !report->options->quiet || report_outcome(result) != OUTCOME_CLEAN;
}

static void print_findings(const Report *report, const Result *result) {
  for (uint32_t i = 0; i < result->findings.count; i++)
    text_print_finding(report, &result->findings.items[i], result->input);
}

static void print_result(const Report *report, const Result *result) {
  if (result->engine) {
    print_headline(report, result);
    if (!result->is_kernel)
      print_counts(report, result);
    print_states(report, result);
    print_result_witness(report, result);
  }
  print_findings(report, result);
}

void report_text(const Report *report) {
  for (uint32_t i = 0; i < report->result_count; i++)
    if (is_wanted(report, report->results[i]))
      print_result(report, report->results[i]);
}
