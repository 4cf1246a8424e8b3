// mbarrier objects (spec A.5). Internal to emu.
#ifndef WARPSAN_EMU_MBARRIER_H
#define WARPSAN_EMU_MBARRIER_H

#include "emu/memory.h"

// The live object at an offset of a block's shared memory; NULL: there is none.
EmuMbarrierObject *emu_find_mbarrier(const Block *block, uint64_t offset);
// Bytes have arrived for it.
void emu_complete_bytes(Worker *worker, Block *owner, EmuMbarrierObject *object, uint64_t bytes);
// An arrival without an instruction's order: of cp.async.mbarrier.arrive.
void emu_arrive_async(Worker *worker, const Op *op, Block *owner, EmuMbarrierObject *object,
                      uint32_t lane, bool is_counted);
// The running lane comes back to its op when somebody initialises an mbarrier of the block.
void emu_wait_for_mbarrier(Worker *worker, const Op *op, uint32_t lanes);

static inline Block *emu_owner(const Target *target) {
  return (Block *)target->owner; // `seen` is the first member
}

#endif
