// Blocks come and go. Internal to emu.
#ifndef WARPSAN_EMU_BLOCK_H
#define WARPSAN_EMU_BLOCK_H

#include "emu/machine.h"

// Decodes a grid's kernel and fills in what is constant in the grid.
void emu_prepare_grid(Emu *emu, uint32_t number);
// Starts the block of that number in the grid.
Block *emu_start_block(Emu *emu, GridState *grid, uint32_t number_in_grid);
// All its threads have exited. Its memory is used again.
void emu_finish_block(Emu *emu, Block *block);

#endif
