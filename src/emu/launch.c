// Grids that depend on each other (spec E.3).
#include "emu/ops.h"
#include "emu/warp.h"

void emu_let_dependents(Block *block) {
  if (block->has_launched)
    return;
  block->has_launched = true;
  block->launched++;
  block->changes++;
}

// The first thread of a block that says so decides: what others do until then may be too late.
void op_grid_dependents(Worker *worker, const Op *op) {
  if (!worker->block->has_launched)
    EMU_WATCH(worker, launch_dependents, emu_who(worker, op, worker->lanes & (0u - worker->lanes)));
  emu_let_dependents(worker->block);
}

void op_grid_wait(Worker *worker, const Op *op) {
  uint32_t before = worker->block->grid->grid->after;
  if (before == UINT32_MAX)
    return;
  if (emu_defer(worker))
    return;
  if (!worker->emu->grids[before].has_ended) {
    emu_wait(worker, GROUP_AT_GRID);
    return;
  }
  EMU_WATCH(worker, grid_wait, emu_who(worker, op, worker->lanes), before);
}
