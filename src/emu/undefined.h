// Bits that nothing has defined: of registers before their first write, of local memory, and of
// lanes that take no part in a shuffle. Code may move them and compute with them; what is reported
// is a use on which something depends: an address, a branch, what is stored for others to read.
// A warp without such values is not watched and pays nothing. Internal to emu.
#ifndef WARPSAN_EMU_UNDEFINED_H
#define WARPSAN_EMU_UNDEFINED_H

#include "emu/machine.h"

// The registers that a warp finds undefined at its start.
void emu_begin_undefined(const EmuCode *code, Warp *warp);

// Lanes of a value with undefined bits.
typedef struct UndefinedLanes {
  uint32_t lanes, hollow; // ir/undefined.h
  uint64_t bits[LANES];   // of each of `lanes`, not 0
} UndefinedLanes;

// The lanes' values of the register come from nowhere, by the op, which is a load or a shuffle; or
// some bits of them do.
void emu_set_undefined(Worker *worker, Value value, uint32_t lanes, const Op *origin);
void emu_set_undefined_bits(Worker *worker, Value value, const UndefinedLanes *undefined,
                            const Op *origin);

// Executes one op of a warp that has undefined values, and follows them.
void emu_run_watchful(Worker *worker, const Op *op);

// The same of a collective among these lanes, which it has brought together: before it gives
// results. `from`: of shuffles, the lane that each lane reads.
void emu_watch_collective(Worker *worker, const Op *op, uint32_t lanes, const uint8_t *from);

#endif
