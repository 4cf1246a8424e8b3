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

// The final contents of a byte at a physical address; false: nothing ever wrote it, or writes that
// nothing orders compete for it.
typedef bool ExploreByte(void *context, uint64_t address, uint8_t *byte);

// A condition on the memory after a kernel's launches: NULL if it holds, else a message in `arena`
// and the place of the condition.
typedef const char *ExploreFinal(void *context, ExploreByte *byte, void *byte_context, Arena *arena,
                                 Span *span);

typedef struct ExploreOptions {
  const Model *model;
  uint32_t properties;     // EXPLORE_*
  uint32_t unroll;         // iterations of a loop with side effects
  uint32_t jobs;           // worker threads, at least 1
  uint64_t max_executions; // 0: no limit
  double timeout_seconds;  // 0: no limit
  size_t memory_bytes;     // 0: no limit
  // Kernels: branch also on what racing plain accesses may see. Otherwise a race is reported and
  // the plain read takes the newest value that is ordered before it.
  bool explore_races;
  ExploreFinal *check_final; // NULL: nothing has to hold
  void *final_context;
  bool want_witness; // build witnesses (states and verdicts do not need them)
  // Called now and then with the number of executions so far; may be NULL.
  void (*progress)(void *context, uint64_t executions);
  void *progress_context;
} ExploreOptions;

// Explores `program`. The result and all that it points to live in `arena`; `program`, `condition`
// and the model must outlive it. `condition` may be NULL.
Result *explore_program(const Program *program, const Condition *condition,
                        const ExploreOptions *options, Arena *arena);

#endif
