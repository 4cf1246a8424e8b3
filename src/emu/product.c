// Products of warpgroups: their groups. The products themselves have been computed when they were
// issued; waiting makes sure that all warps of the warpgroup have got that far.
#include "emu/fault.h"
#include "emu/ops.h"
#include "emu/warp.h"

static uint32_t first_warp(const Worker *worker) {
  return worker->warp->number / EMU_WARPGROUP_WARPS * EMU_WARPGROUP_WARPS;
}

static uint32_t end_warp(const Worker *worker) {
  uint32_t end = first_warp(worker) + EMU_WARPGROUP_WARPS, count = worker->block->seen.warp_count;
  return end < count ? end : count;
}

static void wake_waiting(Block *block, Warp *warp) {
  for (uint32_t g = 0; g < warp->group_count; g++)
    if (warp->groups[g].state == GROUP_AT_PRODUCT)
      emu_wake(block, warp, &warp->groups[g]);
}

void op_product_commit(Worker *worker, const Op *op) {
  Block *block = worker->block;
  EMU_WATCH(worker, commit, emu_who(worker, op, worker->lanes), EMU_GROUP_PRODUCTS);
  worker->warp->products++;
  block->changes++;
  for (uint32_t w = first_warp(worker); w < end_warp(worker); w++)
    wake_waiting(block, &block->warps[w]);
}

static bool have_all_issued(const Worker *worker, uint32_t limit) {
  for (uint32_t w = first_warp(worker); w < end_warp(worker); w++)
    if (worker->block->warps[w].products < limit)
      return false;
  return true;
}

void op_product_wait(Worker *worker, const Op *op) {
  uint32_t committed = worker->warp->products;
  uint64_t given = emu_lane(worker, op->src[0], (uint32_t)__builtin_ctz(worker->lanes));
  uint32_t pending = given < committed ? (uint32_t)given : committed;
  if (!have_all_issued(worker, committed - pending)) {
    emu_wait(worker, GROUP_AT_PRODUCT);
    return;
  }
  EMU_WATCH(worker, await, emu_who(worker, op, worker->lanes), EMU_GROUP_PRODUCTS, pending, false);
}
