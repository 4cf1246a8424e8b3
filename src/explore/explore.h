// Every execution of a small program under a memory model, each exactly once.
#ifndef WARPSAN_EXPLORE_EXPLORE_H
#define WARPSAN_EXPLORE_EXPLORE_H

#include "base/result.h"
#include "ir/condition.h"
#include "model/model.h"

enum {
  EXPLORE_CONDITION = 1,   // the test's condition (program)
  EXPLORE_TERMINATION = 2, // executions that get stuck: rules deadlock and livelock
  EXPLORE_RACE = 4,        // rule data-race, and the flags of a .cat model
  EXPLORE_ALL = 7,
};

typedef struct ExploreOptions {
  const Model *model;
  uint32_t properties;     // EXPLORE_*
  uint32_t unroll;         // iterations of a loop with side effects
  uint32_t jobs;           // worker threads, at least 1
  uint64_t max_executions; // 0: no limit
  double timeout_seconds;  // 0: no limit
  size_t memory_bytes;     // 0: no limit
  bool want_witness;       // build witnesses (states and verdicts do not need them)
  // Called now and then with the number of executions so far; may be NULL.
  void (*progress)(void *context, uint64_t executions);
  void *progress_context;
} ExploreOptions;

// Explores `program`. The result and all that it points to live in `arena`; `program`, `condition`
// and the model must outlive it. `condition` may be NULL.
Result *explore_program(const Program *program, const Condition *condition,
                        const ExploreOptions *options, Arena *arena);

#endif
