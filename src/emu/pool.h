// The OS threads that share the work of a run. Internal to emu.
#ifndef WARPSAN_EMU_POOL_H
#define WARPSAN_EMU_POOL_H

#include "emu/machine.h"

void emu_start_workers(Emu *emu);
// Does shares 0 to count - 1 of some work, at the same time and in any order; with one worker in
// this one. If memory runs out, for whichever worker, all of them end their part, and the caller
// leaves through the arena's escape.
void emu_share_out(Emu *emu, PoolShare *share, uint32_t count);
void emu_stop_workers(Emu *emu);

#endif
