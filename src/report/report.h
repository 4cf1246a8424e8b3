// Results as text: the only place where findings, verdicts and witnesses become words.
#ifndef WARPSAN_REPORT_REPORT_H
#define WARPSAN_REPORT_REPORT_H

#include "base/arena.h"
#include "base/result.h"
#include "report/writer.h"

typedef enum ReportErrors {
  REPORT_ERRORS_TOO,
  REPORT_ERRORS_ONLY, // only results of inputs that could not be read or parsed
  REPORT_ERRORS_NOT,
} ReportErrors;

typedef struct ReportOptions {
  bool color;      // text: ANSI colours
  bool quiet;      // text: only what needs attention
  bool all_states; // text: however many
  bool omit_witness;
  ReportErrors errors; // text
  const char *version; // of the tool
} ReportOptions;

// What to print and where. Nothing is owned.
typedef struct Report {
  Writer *writer;
  Arena *scratch; // what a report allocates here is of no use afterwards
  const ReportOptions *options;
  const Result *const *results;
  uint32_t result_count;
} Report;

void report_text(const Report *report);
void report_json(const Report *report);
void report_sarif(const Report *report);
void report_html(const Report *report);
void report_dot(const Report *report);

// Results of one input under several models side by side; they follow each other in the list.
void report_outcomes_text(const Report *report);
void report_outcomes_json(const Report *report);

typedef enum Verdict {
  VERDICT_NONE, // no condition
  VERDICT_ALLOWED,
  VERDICT_FORBIDDEN,
  VERDICT_HOLDS,
  VERDICT_VIOLATED,
  VERDICT_UNKNOWN,
} Verdict;

Verdict report_verdict(const Result *result);
const char *report_verdict_name(Verdict verdict);

// What became of a check, the worst last.
typedef enum Outcome {
  OUTCOME_CLEAN,
  OUTCOME_INCOMPLETE,
  OUTCOME_FINDINGS, // that the test did not expect
  OUTCOME_BAD_INPUT,
} Outcome;

Outcome report_outcome(const Result *result);

// "exists", "~exists", "forall"; "" for a test without a condition.
const char *report_condition_name(ConditionKind condition);

// A few lines of code that break a rule or sub-rule, and the same put right; NULL if none is kept.
const char *report_bad_example(const char *rule);
const char *report_good_example(const char *rule);

#endif
