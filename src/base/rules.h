// The rules that findings name, with what they mean: the table rules.def as an enum and as data.
//   Diag *diag = diag_add(diags, SEVERITY_ERROR, rule_id(RULE_DATA_RACE), span, ...);
//   diag->sub = rule_id(RULE_SCOPE_TOO_NARROW);
#ifndef WARPSAN_BASE_RULES_H
#define WARPSAN_BASE_RULES_H

#include "base/diag.h"

typedef enum RuleNumber {
#define RULE(constant, id, severity, meaning, remedy) RULE_##constant,
#define SUB_RULE(constant, id, parent, meaning, remedy) RULE_##constant,
#include "base/rules.def"
#undef RULE
#undef SUB_RULE
  RULE_COUNT,
} RuleNumber;

typedef struct Rule {
  const char *id;      // "data-race", "scope-too-narrow"
  RuleNumber parent;   // of a sub-rule the rule that it explains; RULE_COUNT: a rule of its own
  Severity severity;   // usual one; of a sub-rule: that of its parent
  const char *meaning; // one sentence, lower case, no full stop
  const char *remedy;  // what to do, in words, or NULL
} Rule;

Rule rule_get(RuleNumber number);
const char *rule_id(RuleNumber number);
RuleNumber rule_find(const char *id); // RULE_COUNT: there is none

// What to do about a finding: its own remedy, else that of its sub-rule, else that of its rule.
// NULL: none.
const char *rule_remedy(const Diag *finding);

const char *severity_name(Severity severity); // "error", "warning", "advice"

#endif
