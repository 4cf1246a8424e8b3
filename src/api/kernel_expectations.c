#include "api/kernel_expectations.h"

#include <stdio.h>
#include <string.h>

#include "base/rules.h"

// One expectation with its source.
typedef struct Wanted {
  const char *rule; // NULL: nothing is expected
  const LaunchVerdict *verdict;
  Span span;
} Wanted;

bool kernel_expectation_is_stated(const WarpsanOptions *options) {
  return options->expectation && strcmp(options->expectation, "stated") == 0;
}

static Wanted find_wanted(const WarpsanOptions *options, const LaunchSet *set) {
  if (kernel_expectation_is_stated(options))
    return (Wanted){set->expectation, &set->verdict, set->expectation_span};
  return (Wanted){options->expectation, NULL, (Span){0}};
}

static bool is_clean(const char *rule) {
  return strcmp(rule, "clean") == 0;
}

static bool check_rule(const char *rule, Span span, const char *expected, DiagList *diags) {
  return rule_find(rule) != RULE_COUNT ||
         diag_syntax(diags, span, "expected %s, found '%.60s'", expected, rule);
}

bool kernel_expectation_check(const WarpsanOptions *options, const LaunchSet *set,
                              DiagList *diags) {
  Wanted wanted = find_wanted(options, set);
  if (!wanted.rule || is_clean(wanted.rule))
    return true;
  bool is_ok = check_rule(wanted.rule, wanted.span, "a rule or 'clean' as expectation", diags);
  for (uint32_t i = 0; wanted.verdict && i < wanted.verdict->accepted.count; i++)
    is_ok &=
        check_rule(wanted.verdict->accepted.items[i], wanted.span, "a rule in 'accept:'", diags);
  return is_ok;
}

static bool is_of_rule(const Diag *finding, const char *rule) {
  return strcmp(finding->rule, rule) == 0 || (finding->sub && strcmp(finding->sub, rule) == 0);
}

static bool is_wanted(const Wanted *wanted, const Diag *finding) {
  if (is_of_rule(finding, wanted->rule))
    return true;
  for (uint32_t i = 0; wanted->verdict && i < wanted->verdict->accepted.count; i++)
    if (is_of_rule(finding, wanted->verdict->accepted.items[i]))
      return true;
  return false;
}

static bool is_at_line(Span span, uint32_t line) {
  return span.source && source_position(span.source, span.begin).line == line;
}

// Does the finding name one of the lines, if lines are given?
static bool is_at_place(const Wanted *wanted, const Diag *finding) {
  if (!wanted->verdict || !wanted->verdict->lines.count)
    return true;
  for (uint32_t i = 0; i < wanted->verdict->lines.count; i++) {
    uint32_t line = wanted->verdict->lines.items[i];
    if (is_at_line(finding->span, line))
      return true;
    for (uint32_t k = 0; k < finding->notes.count; k++)
      if (is_at_line(finding->notes.items[k].span, line))
        return true;
  }
  return false;
}

static const char *list_findings(const Result *result, Arena *arena) {
  const char *list = "nothing";
  for (uint32_t i = 0; i < result->findings.count; i++) {
    const Diag *finding = &result->findings.items[i];
    const char *name =
        finding->sub ? arena_format(arena, "%s:%s", finding->rule, finding->sub) : finding->rule;
    if (finding->span.source)
      name = arena_format(arena, "%s at line %u", name,
                          source_position(finding->span.source, finding->span.begin).line);
    list = i ? arena_format(arena, "%s, %s", list, name) : name;
  }
  return list;
}

static void report_miss(const Wanted *wanted, bool is_elsewhere, Result *result) {
  Arena *arena = result->findings.arena;
  const char *found = list_findings(result, arena);
  diag_add(&result->findings, SEVERITY_ERROR, rule_id(RULE_EXPECTATION), wanted->span,
           "expected %s%s under %s, found %s", wanted->rule,
           is_elsewhere ? " at one of the lines of 'where:'" : "", result->model, found);
}

void kernel_expectation_compare(const WarpsanOptions *options, const LaunchSet *set,
                                Result *result) {
  Wanted wanted = find_wanted(options, set);
  bool is_elsewhere = false;
  if (!wanted.rule || is_clean(wanted.rule)) // findings speak for themselves
    return;
  for (uint32_t i = 0; i < result->findings.count; i++) {
    const Diag *finding = &result->findings.items[i];
    bool is_found = is_wanted(&wanted, finding), is_here = is_at_place(&wanted, finding);
    result->findings_are_expected = result->findings_are_expected || (is_found && is_here);
    is_elsewhere = is_elsewhere || is_found;
  }
  // A search that was cut short may have missed it, and says so itself.
  if (!result->findings_are_expected && (result->findings.count || !result->incomplete))
    report_miss(&wanted, is_elsewhere, result);
}
