// One interleaving of a kernel's threads, step by step, with numbers instead of choices: which is
// an execution of every model that is no stronger than sequential consistency. Internal to explore.
//
// Bytes and registers may be marked: what is computed from a marked one becomes marked. As long as
// no marked one decides where a thread goes or what it accesses, two runs that differ in the marked
// ones alone do the same.
#ifndef WARPSAN_EXPLORE_KERNEL_LASSO_H
#define WARPSAN_EXPLORE_KERNEL_LASSO_H

#include "explore/code.h"

typedef enum WalkerStatus {
  WALKER_NOT_STARTED,
  WALKER_RUNNING,
  WALKER_AT_BARRIER, // of its block: `waits_for` is the number
  WALKER_AT_WARP,    // at bar.warp.sync: `waits_for` is the mask
  WALKER_FINISHED,
} WalkerStatus;

typedef struct Walker {
  uint32_t pc;
  WalkerStatus status;
  uint64_t waits_for;
} Walker;

// An access to memory. `instruction` UINT32_MAX: none.
typedef struct WalkAccess {
  uint32_t thread, instruction;
  uint32_t size;
  uint64_t address; // physical
  uint64_t found;   // what was there before
  uint64_t left;    // and afterwards
} WalkAccess;

enum { WALK_MOST_CHANGES = 64, WALK_MOST_SHOWN = 48 };

typedef struct Walk {
  const Program *program;
  const Code *codes;
  uint32_t *first_register; // of each thread, and the end
  uint64_t *first_byte;     // of each region, and the end
  Walker *walkers;
  uint64_t *registers;
  uint8_t *bytes;
  uint8_t *marked_registers, *marked_bytes;
  // Since walk_forget_accesses: of each thread the last read whose result is used and not marked;
  // and the first access by which each instruction of a thread changed a value.
  WalkAccess *last_reads;
  WalkAccess changes[WALK_MOST_CHANGES];
  uint32_t change_count;
  WalkAccess shown[WALK_MOST_SHOWN]; // the first accesses, in their order
  uint32_t shown_count;
  uint64_t instruction_count;
  bool has_failed; // something happened that is not followed, or that a mark decided
} Walk;

// False: the memory is too large.
bool walk_init(Walk *walk, const Program *program, const Code *codes, Arena *arena);
void walk_restart(Walk *walk);
// Starts the threads that may start.
void walk_start_threads(Walk *walk);
// Runs a thread up to its second access, to the next backward branch or to a barrier; with
// `whole_round`, over accesses, too. Requires: it is running.
void walk_step(Walk *walk, uint32_t thread, bool whole_round);
void walk_forget_accesses(Walk *walk);
// "buffer locks, byte 4"
const char *walk_place_name(const Walk *walk, uint64_t address, uint32_t size, Arena *arena);

// A copy of the state without the marks.
typedef struct WalkState {
  Walker *walkers;
  uint64_t *registers;
  uint8_t *bytes;
} WalkState;

WalkState walk_new_state(const Walk *walk, Arena *arena);
void walk_save(const Walk *walk, WalkState *state);
void walk_load(Walk *walk, const WalkState *state);
// Are all threads at the same places?
bool walk_is_at(const Walk *walk, const WalkState *state);
void walk_clear_marks(Walk *walk);
// Marks what differs from the state, and nothing else.
void walk_mark_difference(Walk *walk, const WalkState *state);

#endif
