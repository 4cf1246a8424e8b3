// Blocks come and go. Internal to emu.
#ifndef WARPSAN_EMU_BLOCK_H
#define WARPSAN_EMU_BLOCK_H

#include "emu/machine.h"

// Decodes a grid's kernel and fills in what is constant in the grid.
void emu_prepare_grid(Emu *emu, uint32_t number);
// A place for the block of that number in the grid, from which emu_begin_block is to follow, on any
// worker.
Block *emu_place_block(Emu *emu, GridState *grid, uint32_t number_in_grid);
void emu_free_block(Emu *emu, Block *block);

void emu_begin_block(Worker *worker, Block *block);
void emu_end_block(Worker *worker, Block *block); // all its threads have exited
// The first of block->next follows one that has ended.
void emu_begin_next(Worker *worker, Block *block);

#endif
