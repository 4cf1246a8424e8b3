// Barriers order everything that arrives before everything that waits (spec A.4, B.4).
#include "race/barrier.h"
#include "race/deferred.h"

#include "base/bits.h"

#include <string.h>

// --- barriers of a block

static BarrierState *get_barrier(Race *race, Block *block, uint32_t id) {
  if (!block->barriers)
    block->barriers = heap_take_cleared(&race->heap, BLOCK_BARRIERS * sizeof *block->barriers);
  BarrierState *barrier = &block->barriers[id & (BLOCK_BARRIERS - 1)];
  if (!barrier->waiting)
    barrier->waiting =
        heap_take_cleared(&race->heap, block->emu->warp_count * sizeof *barrier->waiting);
  return barrier;
}

// What those that do not wait know is kept: they go on.
static void export_lanes(Race *race, const EmuWarp *emu, Clock *joined) {
  Warp *warp = warp_of(emu);
  warp_add_copies(race, block_of(emu), emu->warp, emu->lanes, joined);
  WARP_GROUPS(group, warp, emu->lanes) {
    Clock clock;
    group_export(race, block_of(emu), emu->warp, group, group->lanes & emu->lanes, warp->now,
                 &clock);
    clock_learn(race, joined, &clock);
    clock_release(&race->heap, &clock);
  }
}

static void arrive_at_cluster(Race *race, const EmuWarp *emu, const EmuArrival *arrival) {
  Cluster *cluster = race_cluster(race, emu->block);
  if (arrival->is_ordering)
    export_lanes(race, emu, &cluster->joined);
  else
    sync_fence_heads(race, emu, SCOPE_CLUSTER, &cluster->joined);
  warp_tick(race, warp_of(emu));
}

void race_arrive(Race *race, const EmuWarp *emu, const EmuArrival *arrival) {
  if (arrival->is_cluster) {
    arrive_at_cluster(race, emu, arrival);
    return;
  }
  BarrierState *barrier = get_barrier(race, block_of(emu), arrival->barrier);
  if (arrival->waits) {
    barrier->waiting_count += bits_count(emu->lanes & ~barrier->waiting[emu->warp]);
    barrier->waiting[emu->warp] |= emu->lanes;
    return;
  }
  export_lanes(race, emu, &barrier->joined);
  barrier->has_arrivals_only = true;
  warp_tick(race, warp_of(emu));
}

// All live lanes of the warp know each other.
static void know_warp(Race *race, Warp *warp, uint32_t lanes) {
  warp_split(&race->heap, warp, lanes);
  WARP_GROUPS(group, warp, lanes)
  group->warp_known = warp->now;
}

// Have the block's threads learnt nothing but from barriers of the whole block, as most have not?
static bool knows_itself_only(const Race *race, const Block *block) {
  const Clock *start = &race->grids[block->emu->grid].start;
  for (uint32_t w = 0; w < block->emu->warp_count; w++) {
    const Warp *warp = &block->warps[w];
    if (warp->live &&
        (warp->group_count > 1 || warp->copies || !clock_is_equal(&warp->groups->clock, start)))
      return false;
  }
  return !block->has_exits;
}

static void complete_simply(Race *race, Block *block) {
  uint32_t time = block->full_time, count = block->emu->warp_count;
  for (uint32_t w = 0; w < count; w++)
    if (block->warps[w].live && block->warps[w].now > time)
      time = block->warps[w].now;
  block->full_time = time;
  for (uint32_t w = 0; w < count; w++) {
    Warp *warp = &block->warps[w];
    if (!warp->live)
      continue;
    warp->groups->uniform = warp->groups->warp_known = time;
    warp->now = time;
    warp_tick(race, warp);
  }
}

// What all live threads of the block know together, but for what its barriers cover; *time is that
// of this one.
static Clock join_whole(Race *race, const Block *block, uint32_t *time) {
  ClockNode **threads;
  Clock joined = {0};
  threads = &joined.part[CLOCK_THREADS];
  *time = block->full_time;
  for (uint32_t w = 0; w < block->emu->warp_count; w++) {
    const Warp *warp = &block->warps[w];
    if (!warp->live)
      continue;
    if (warp->now > *time)
      *time = warp->now;
    warp_add_copies(race, block, w, warp->live, &joined);
    WARP_GROUPS(group, warp, warp->live) {
      clock_learn(race, &joined, &group->clock);
      // The block's time does not cover lanes that have exited, the warp's did.
      clock_add_lanes(&race->heap, threads, block->number, w, warp->exited, group->warp_known);
    }
  }
  joined.version = 0;
  // What is known of other blocks, too, most often is what these know, and stays the same tree.
  if (!block->has_exits && clock_is_of_block(*threads, block->number))
    clock_forget_block(&race->heap, threads, block->number);
  return joined;
}

// Every thread of the block that has not exited is here: one number tells it all.
static void complete_whole(Race *race, Block *block) {
  Heap *heap = &race->heap;
  uint32_t time;
  deferred_drop(race, block);
  if (knows_itself_only(race, block)) {
    complete_simply(race, block);
    return;
  }
  Clock joined = join_whole(race, block, &time);
  block->full_time = time;
  for (uint32_t w = 0; w < block->emu->warp_count; w++) {
    Warp *warp = &block->warps[w];
    if (!warp->live)
      continue;
    warp_split(heap, warp, warp->live);
    WARP_GROUPS(group, warp, warp->live) {
      group->uniform = time;
      group->warp_known = warp->exited ? 0 : time;
      clock_release(heap, &group->clock);
      clock_copy(&group->clock, &joined);
    }
    warp_merge(heap, warp);
    warp->now = time;
    warp_tick(race, warp);
  }
  clock_release(heap, &joined);
}

static void complete_part(Race *race, Block *block, BarrierState *barrier) {
  EmuWarp emu = {.block = (EmuBlock *)block->emu};
  for (uint32_t w = 0; w < block->emu->warp_count; w++) {
    emu.warp = w;
    emu.lanes = barrier->waiting[w];
    if (emu.lanes)
      export_lanes(race, &emu, &barrier->joined);
  }
  for (uint32_t w = 0; w < block->emu->warp_count; w++) {
    Warp *warp = &block->warps[w];
    uint32_t lanes = barrier->waiting[w];
    if (!lanes)
      continue;
    warp_learn(race, warp, lanes, &barrier->joined, false);
    if (lanes == warp->live && !warp->exited)
      know_warp(race, warp, lanes);
    warp_merge(&race->heap, warp);
    warp_tick(race, warp);
  }
}

void race_complete(Race *race, const EmuBlock *emu, const EmuArrival *arrival) {
  Block *block = emu->watched;
  if (arrival->is_cluster) {
    Cluster *cluster = race_cluster(race, emu);
    clock_release(&race->heap, &cluster->over);
    cluster->over = cluster->joined;
    memset(&cluster->joined, 0, sizeof cluster->joined);
    return;
  }
  BarrierState *barrier = get_barrier(race, block, arrival->barrier);
  if (barrier->waiting_count == block->live && !barrier->has_arrivals_only)
    complete_whole(race, block);
  else
    complete_part(race, block, barrier);
  clock_release(&race->heap, &barrier->joined);
  memset(barrier->waiting, 0, block->emu->warp_count * sizeof *barrier->waiting);
  barrier->waiting_count = 0;
  barrier->has_arrivals_only = false;
}

// --- warps

void race_sync_warp(Race *race, const EmuWarp *emu) {
  Warp *warp = warp_of(emu);
  bool is_whole = emu->lanes == warp->live && !warp->exited;
  if (!is_whole || warp->group_count > 1 || warp->copies) {
    Clock joined = {0};
    export_lanes(race, emu, &joined);
    warp_learn(race, warp, emu->lanes, &joined, false);
    clock_release(&race->heap, &joined);
  }
  if (is_whole)
    know_warp(race, warp, emu->lanes);
  warp_merge(&race->heap, warp);
  warp_tick(race, warp);
}

// --- clusters

Cluster *race_cluster(Race *race, const EmuBlock *emu) {
  Cluster *cluster = cluster_find(race, emu->cluster);
  if (cluster)
    return cluster;
  if (race->cluster_count == race->cluster_capacity) {
    uint32_t capacity = race->cluster_capacity ? 2 * race->cluster_capacity : 4;
    Cluster *grown = heap_take(&race->heap, capacity * sizeof *grown);
    if (race->cluster_count)
      memcpy(grown, race->clusters, race->cluster_count * sizeof *grown);
    heap_give(&race->heap, race->clusters, race->cluster_capacity * sizeof *grown);
    race->clusters = grown;
    race->cluster_capacity = capacity;
  }
  cluster = &race->clusters[race->cluster_count++];
  *cluster = (Cluster){.number = emu->cluster};
  return cluster;
}

void race_wait_cluster(Race *race, const EmuWarp *emu) {
  const Cluster *cluster = cluster_find(race, emu->block->cluster);
  Warp *warp = warp_of(emu);
  if (!cluster)
    return;
  warp_learn(race, warp, emu->lanes, &cluster->over, true);
  warp_merge(&race->heap, warp);
}

void race_release_barriers(Race *race, Block *block) {
  for (uint32_t i = 0; block->barriers && i < BLOCK_BARRIERS; i++) {
    BarrierState *barrier = &block->barriers[i];
    clock_release(&race->heap, &barrier->joined);
    heap_give(&race->heap, barrier->waiting, block->emu->warp_count * sizeof *barrier->waiting);
  }
  heap_give(&race->heap, block->barriers, BLOCK_BARRIERS * sizeof *block->barriers);
}
