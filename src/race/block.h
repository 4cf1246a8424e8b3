// Grids and blocks begin and end. Internal to race.
#ifndef WARPSAN_RACE_BLOCK_H
#define WARPSAN_RACE_BLOCK_H

#include "race/barrier.h"

void grid_start(Race *race, uint32_t grid);
void grid_finish(Race *race, uint32_t grid);
void grid_wait_for(Race *race, const EmuWarp *warp, uint32_t grid);
void grid_let_dependents(Race *race, const EmuWarp *warp);
void block_start(Race *race, EmuBlock *emu);
void block_finish(Race *race, EmuBlock *emu);
void block_threads_end(Race *race, const EmuWarp *warp);

// instruction.c: the lanes' accesses by one instruction.
void row_access(Race *race, const EmuWarp *warp, const EmuAccess *access);

#endif
