// Which block, warp and grid runs when. Internal to emu.
#ifndef WARPSAN_EMU_SCHEDULE_H
#define WARPSAN_EMU_SCHEDULE_H

#include "emu/machine.h"

// Runs the ready warps of a block for its share of a round.
void emu_run_block(Worker *worker, Block *block);
// Grids whose time has come begin; blocks start as many as may run at a time. False: none did.
bool emu_start_grids(Emu *emu);
bool emu_admit_blocks(Emu *emu);
// Lets more blocks run at a time than did: nothing goes on with those that run.
bool emu_widen(Emu *emu);
// Takes leave of blocks whose threads have all exited, and of grids whose blocks have.
bool emu_retire(Emu *emu, Worker *worker);

#endif
