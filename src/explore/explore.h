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

// Kernels: when threads that only differ in their numbers are explored once (symmetry.h).
typedef enum ExploreSymmetry {
  EXPLORE_SYMMETRY_AUTO, // when the search gets long
  EXPLORE_SYMMETRY_ALWAYS,
  EXPLORE_SYMMETRY_NEVER,
} ExploreSymmetry;

// What a guest's thread does next. `site` is an instruction of its thread; the operands go into the
// registers GUEST_OPERAND and up, its result is in GUEST_RESULT.
typedef enum GuestKind {
  GUEST_INSTRUCTION,
  GUEST_ROUND,       // a waiting loop begins; the result stands for this moment
  GUEST_NEXT_ROUND,  // its body was run in vain; operands[0] is the result of its last (NEXT_)ROUND
  GUEST_RETURN,      // the thread has ended
  GUEST_UNSUPPORTED, // the search ends; `ExploreGuest.unsupported` says why
} GuestKind;

enum { GUEST_RESULT, GUEST_OPERAND, GUEST_OPERANDS = 5, GUEST_REGISTERS = 6 };

typedef struct GuestOperation {
  GuestKind kind;
  uint32_t site;
  uint32_t operand_count;
  uint64_t operands[GUEST_OPERANDS];
} GuestOperation;

// An operation that is over. Two steps with one `serial` have the same steps before them.
typedef struct GuestStep {
  GuestOperation operation;
  uint64_t result;
  uint64_t serial;
} GuestStep;

// Threads whose code is not in the program (which is a kernel): somebody else runs it, and is asked
// for one operation after the other. A thread is deterministic: its operations depend on the
// results of those before them and on nothing else, and it can be run again from its beginning.
// What comes before a read has its source is found out from what threads did when it returned
// something else (guest_tree.h).
typedef struct ExploreGuest {
  // Stores what `thread` does after the `count` steps. May add instructions to the thread's, which
  // all threads share, below their count.
  void (*next)(void *context, uint32_t thread, const GuestStep *steps, uint32_t count,
               GuestOperation *operation);
  void *context;
  const char *unsupported;
  bool leaves_out_buffering; // set: only executions without a cycle in po | rf were explored
  uint64_t serial;           // the latest; the search counts on
} ExploreGuest;

typedef struct ExploreOptions {
  const Model *model;
  ExploreGuest *guest;          // NULL: the program's own instructions are run
  uint32_t properties;          // EXPLORE_*
  uint32_t unroll;              // iterations of a loop with side effects
  uint32_t jobs;                // worker threads, at least 1
  uint64_t max_executions;      // 0: no limit
  double timeout_seconds;       // 0: no limit
  double seconds_after_finding; // of kernels; 0: EXPLORE_SECONDS_AFTER_FINDING if nothing else
                                // limits the search
  size_t memory_bytes;          // 0: no limit
  // Kernels: branch also on what racing plain accesses may see. Otherwise a race is reported and
  // the plain read takes the newest value that is ordered before it.
  bool explore_races;
  bool explore_all; // kernels: leave out nothing that another execution stands for
  ExploreSymmetry symmetry;
  ExploreFinal *check_final; // NULL: nothing has to hold
  void *final_context;
  bool want_witness; // build witnesses (states and verdicts do not need them)
  // Called now and then with the number of executions so far; may be NULL.
  void (*progress)(void *context, uint64_t executions);
  void *progress_context;
} ExploreOptions;

// A search without limits that has found something is not gone on with for longer.
enum { EXPLORE_SECONDS_AFTER_FINDING = 20 };

// Explores `program`. The result and all that it points to live in `arena`; `program`, `condition`
// and the model must outlive it. `condition` may be NULL.
Result *explore_program(const Program *program, const Condition *condition,
                        const ExploreOptions *options, Arena *arena);

#endif
