// Lane groups: splitting, waiting, exiting. Internal to emu.
#ifndef WARPSAN_EMU_WARP_H
#define WARPSAN_EMU_WARP_H

#include "emu/machine.h"

// Runs ready groups of the warp until none is left or the worker's turn is over.
void emu_run_warp(Worker *worker, Warp *warp);
// Executes the one operation for which each group of the block waited to the end of the round.
void emu_run_serial(Worker *worker, Block *block);
// Makes the worker's registers those of the block, and of the warp.
void emu_enter_block(Worker *worker, Block *block);

// The running group waits at the current op, or behind it.
void emu_wait(Worker *worker, GroupState state);
void emu_wait_behind(Worker *worker, GroupState state);
// A group that waited can go on. Its pc is where it waited.
void emu_wake(Block *block, Warp *warp, Group *group);
// Takes lanes away from the running group: they go on at `pc`, in `state`.
Group *emu_split(Worker *worker, uint32_t lanes, uint32_t pc, GroupState state);

// Is the operation to be executed between rounds? Then the group waits for that.
bool emu_defer(Worker *worker);
// Is the operation one by which blocks can synchronise?
bool emu_is_shared_operation(const Worker *worker, const Instruction *instruction);

// Lanes of the running group exit, or stop at a fault.
void emu_exit_lanes(Worker *worker, uint32_t lanes);
// A thread of the block lets dependent grids start, or all have exited (launch.c).
void emu_let_dependents(Block *block);

// What watchers are told about the running group.
static inline const EmuWarp *emu_who(Worker *worker, const Op *op, uint32_t lanes) {
  worker->who = (EmuWarp){.block = &worker->block->seen,
                          .warp = worker->warp->number,
                          .lanes = lanes,
                          .instruction = op ? op->instruction : NULL,
                          .worker = worker->number};
  return &worker->who;
}

#define EMU_WATCH(worker, function, ...)                                                           \
  do {                                                                                             \
    const EmuWatcher *watcher_ = (worker)->watcher;                                                \
    if (watcher_ && watcher_->function)                                                            \
      watcher_->function(watcher_->context, __VA_ARGS__);                                          \
  } while (0)

#endif
