#include "base/rules.h"

#include <assert.h>
#include <string.h>

// In sub-rules the severity is left out here; rule_get takes it from the parent.
static const Rule rules[RULE_COUNT] = {
#define RULE(constant, id, severity, meaning, remedy)                                              \
  {id, RULE_COUNT, SEVERITY_##severity, meaning, remedy},
#define SUB_RULE(constant, id, parent, meaning, remedy)                                            \
  {id, RULE_##parent, (Severity)0, meaning, remedy},
#include "base/rules.def"
#undef RULE
#undef SUB_RULE
};

Rule rule_get(RuleNumber number) {
  assert(number < RULE_COUNT);
  Rule rule = rules[number];
  if (rule.parent != RULE_COUNT)
    rule.severity = rules[rule.parent].severity;
  return rule;
}

const char *rule_id(RuleNumber number) {
  assert(number < RULE_COUNT);
  return rules[number].id;
}

RuleNumber rule_find(const char *id) {
  RuleNumber number = 0;
  while (number < RULE_COUNT && strcmp(rules[number].id, id) != 0)
    number++;
  return number;
}

static const char *usual_remedy(const char *id) {
  RuleNumber number = id ? rule_find(id) : RULE_COUNT;
  return number == RULE_COUNT ? NULL : rules[number].remedy;
}

const char *rule_remedy(const Diag *finding) {
  if (finding->remedy)
    return finding->remedy;
  const char *remedy = usual_remedy(finding->sub);
  return remedy ? remedy : usual_remedy(finding->rule);
}

const char *severity_name(Severity severity) {
  static const char *const names[] = {
      [SEVERITY_ERROR] = "error",
      [SEVERITY_WARNING] = "warning",
      [SEVERITY_ADVICE] = "advice",
  };
  assert(severity <= SEVERITY_ADVICE);
  return names[severity];
}
