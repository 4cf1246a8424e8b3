// What one check of one input under one model found, as plain data (DESIGN: `--format json`).
#ifndef WARPSAN_BASE_RESULT_H
#define WARPSAN_BASE_RESULT_H

#include "base/diag.h"
#include "base/witness.h"

typedef enum ConditionKind {
  CONDITION_NONE,
  CONDITION_EXISTS,
  CONDITION_NOT_EXISTS,
  CONDITION_FORALL,
} ConditionKind;

// A final state: one value for each column of the result, and in how many executions it occurs.
typedef struct ResultState {
  const int64_t *values; // `column_count` of them
  uint64_t count;
  bool satisfies; // the proposition of the condition holds in it
} ResultState;

// What an emulated run did, over all its seeds.
typedef struct RunCounts {
  uint64_t instructions, accesses; // of single threads
  uint64_t barriers;               // completed
  uint64_t blocks, threads;        // of one run
} RunCounts;

typedef struct Result {
  const char *input; // file name as the user wrote it
  const char *name;  // the test's own name, or NULL
  const char *model;
  const char *
      engine; // "explore" or "run"; NULL: the input could not be read or parsed, `findings` say why
  bool is_kernel; // of kernels and launches: there is no condition, `findings` are the verdict
  bool complete;  // every execution was explored
  uint64_t executions, duplicates, blocked, cut;
  const char *symmetry; // of kernels: what may be exchanged, "8 blocks"; of executions that
                        // differ in that only one was explored; NULL: nothing
  uint64_t step_count;  // choices made, for benchmarks
  const RunCounts *run; // engine "run"; `executions` is the number of runs
  ConditionKind condition;
  const char *condition_text; // the proposition as written, or NULL
  bool holds;
  bool holds_is_final;  // false: cut short before the answer was certain
  bool thin_air_only;   // forbidden by axiom 4 alone
  const char **columns; // "P1:r0", "x"
  uint32_t column_count;
  ResultState *states; // sorted by values
  uint32_t state_count;
  DiagList findings;
  uint64_t suppressed;    // findings that a suppression has hidden
  const Witness *witness; // for exists found or forall violated; or the nearest forbidden candidate
  const char *incomplete; // NULL, or why the answer is not final
  bool verdict_is_expected;   // the test states the verdict that came out
  bool race_is_expected;      // the test states that it races, and it does
  bool findings_are_expected; // of kernels: they are what was to be found
  double seconds;
} Result;

#endif
