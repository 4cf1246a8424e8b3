// The functions that execute Ops. Internal to emu.
#ifndef WARPSAN_EMU_OPS_H
#define WARPSAN_EMU_OPS_H

#include "emu/machine.h"

// run.c
OpRun op_nothing, op_guarded, op_alu, op_move, op_compute, op_address, op_clock, op_unsupported;
// branch.c
OpRun op_branch, op_branch_if, op_branch_unless, op_branch_compare, op_branch_guarded,
    op_branch_index, op_exit, op_trap;
OpRun *op_branch_for(const Op *op);
// access.c, atomic.c
OpRun op_load, op_store, op_atomic, op_fence;
// wide.c: those of 16 bytes
OpRun op_wide;
// barrier.c, collective.c
OpRun op_barrier, op_barrier_warp, op_cluster_arrive, op_cluster_wait, op_collective;
// async.c, mbarrier.c
OpRun op_mbarrier, op_pending_count, op_copy_async, op_copy_commit, op_copy_wait, op_copy_arrive,
    op_bulk_copy, op_tensor_copy;
// product.c
OpRun op_product_commit, op_product_wait;
// launch.c
OpRun op_grid_dependents, op_grid_wait;

#endif
