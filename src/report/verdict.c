#include "report/report.h"

#include <string.h>

Verdict report_verdict(const Result *result) {
  if (!result->engine || result->condition == CONDITION_NONE)
    return VERDICT_NONE;
  if (!result->holds_is_final)
    return VERDICT_UNKNOWN;
  if (result->condition == CONDITION_EXISTS)
    return result->holds ? VERDICT_ALLOWED : VERDICT_FORBIDDEN;
  return result->holds ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

const char *report_verdict_name(Verdict verdict) {
  switch (verdict) {
  case VERDICT_NONE:
    return "no condition";
  case VERDICT_ALLOWED:
    return "allowed";
  case VERDICT_FORBIDDEN:
    return "forbidden";
  case VERDICT_HOLDS:
    return "holds";
  case VERDICT_VIOLATED:
    return "violated";
  case VERDICT_UNKNOWN:
    return "unknown";
  }
  return "";
}

const char *report_condition_name(ConditionKind condition) {
  switch (condition) {
  case CONDITION_EXISTS:
    return "exists";
  case CONDITION_NOT_EXISTS:
    return "~exists";
  case CONDITION_FORALL:
    return "forall";
  case CONDITION_NONE:
    break;
  }
  return "";
}

// Advice is never a reason to fail; a race is none if the test says that it has one.
static bool is_unexpected(const Result *result, const Diag *finding) {
  if (finding->severity == SEVERITY_ADVICE)
    return false;
  if (result->findings_are_expected)
    return false;
  return !(result->race_is_expected && strcmp(finding->rule, "data-race") == 0);
}

static bool has_unexpected_finding(const Result *result) {
  for (uint32_t i = 0; i < result->findings.count; i++)
    if (is_unexpected(result, &result->findings.items[i]))
      return true;
  return false;
}

Outcome report_outcome(const Result *result) {
  if (!result->engine)
    return OUTCOME_BAD_INPUT;
  Verdict verdict = report_verdict(result);
  if (has_unexpected_finding(result))
    return OUTCOME_FINDINGS;
  if (verdict == VERDICT_VIOLATED && !result->verdict_is_expected)
    return OUTCOME_FINDINGS;
  if (result->findings_are_expected)
    return OUTCOME_CLEAN;
  if (result->incomplete || verdict == VERDICT_UNKNOWN)
    return OUTCOME_INCOMPLETE;
  return OUTCOME_CLEAN;
}
