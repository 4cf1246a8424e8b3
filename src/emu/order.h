// Which blocks of a grid start next, and how many follow each other in a round. Internal to emu.
#ifndef WARPSAN_EMU_ORDER_H
#define WARPSAN_EMU_ORDER_H

#include "emu/machine.h"

// Chooses the order in which the clusters of a grid start.
void emu_choose_order(Emu *emu, GridState *grid);
// Number in the grid of a block of the cluster at a position of that order.
uint32_t emu_block_at(const GridState *grid, uint32_t position, uint32_t rank);
// The next positions, at most `wanted`, of which some are left.
Stretch emu_take_stretch(GridState *grid, uint32_t wanted);

// How many blocks the next place of the window gets for a round. It depends on what other blocks
// have done, not on the number of workers.
uint32_t emu_share(const GridState *grid);
// Behind a round: what has not started of a block's followers comes first again.
void emu_end_share(Emu *emu, Block *block);
// Behind that of all blocks.
void emu_adapt_share(GridState *grid);

#endif
