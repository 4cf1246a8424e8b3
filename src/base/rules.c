#include "base/rules.h"

#include <assert.h>
#include <string.h>

// In sub-rules the severity is left out here; rule_get takes it from the parent.
static const Rule rules[RULE_COUNT] = {
#define RULE(constant, id, severity, meaning) {id, RULE_COUNT, SEVERITY_##severity, meaning},
#define SUB_RULE(constant, id, parent, meaning) {id, RULE_##parent, (Severity)0, meaning},
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

const char *severity_name(Severity severity) {
  static const char *const names[] = {
      [SEVERITY_ERROR] = "error",
      [SEVERITY_WARNING] = "warning",
      [SEVERITY_ADVICE] = "advice",
  };
  assert(severity <= SEVERITY_ADVICE);
  return names[severity];
}
