// Grids that depend on each other (spec E.3).
#include "emu/ops.h"
#include "emu/warp.h"

void op_grid_dependents(Worker *worker, const Op *op) {
  Warp *warp = worker->warp;
  EMU_WATCH(worker, launch_dependents, emu_who(worker, op, worker->lanes));
  worker->block->launched += (uint32_t)__builtin_popcount(worker->lanes & ~warp->launched);
  warp->launched |= worker->lanes;
  worker->block->changes++;
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
