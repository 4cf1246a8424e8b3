// What a litmus test says about its own verdicts, in comments:
//     (* expect ptx: forbidden race=no executions=3 *)
#ifndef WARPSAN_API_EXPECTATIONS_H
#define WARPSAN_API_EXPECTATIONS_H

#include "base/result.h"
#include "litmus/litmus.h"

typedef enum ExpectationKind {
  EXPECT_ALLOWED,   // some final state satisfies the proposition, whatever its quantifier
  EXPECT_FORBIDDEN, // none does
  EXPECT_RACE,
  EXPECT_NO_RACE,
  EXPECT_EXECUTIONS,
} ExpectationKind;

typedef struct Expectation {
  const char *model;
  ExpectationKind kind;
  uint64_t executions; // of EXPECT_EXECUTIONS
  Span span;
} Expectation;

typedef struct ExpectationList {
  ARRAY(Expectation) list;
} ExpectationList;

// Reads the test's expectations; false, with diagnostics, if one is malformed.
bool expectations_parse(const LitmusTest *test, const Source *source, Arena *arena,
                        ExpectationList *expectations, DiagList *diags);

// Adds a finding for each expectation about this result's model that it does not meet, and marks
// in the result those that it does. `races_checked`: the search looked for races.
void expectations_compare(const ExpectationList *expectations, bool races_checked, Result *result);

#endif
