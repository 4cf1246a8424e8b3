// Launches, blocks and the ends of threads (spec E.1 to E.3).
#include "race/block.h"

#include "base/bits.h"
#include "ir/grid.h"
#include "race/deferred.h"

#include <string.h>

// --- grids

void grid_start(Race *race, uint32_t number) {
  const Grid *grid = &race->program->grids[number];
  GridState *state = &race->grids[number];
  for (uint32_t i = 0; i < grid->wait_count; i++)
    clock_learn_elsewhere(race, &state->start, &race->grids[grid->waits[i]].end);
  if (grid->after == UINT32_MAX)
    return;
  const GridState *before = &race->grids[grid->after];
  if (grid->is_dependent) {
    // It may start before the other has ended, but not before what that one has started after.
    clock_learn_elsewhere(race, &state->start, &before->start);
    clock_learn_elsewhere(race, &state->start, &before->launch);
    return;
  }
  clock_learn_elsewhere(race, &state->start, &before->end);
  const Grid *last = &race->program->grids[grid->after];
  if (last->first_block == before->ordered_limit)
    state->ordered_limit = last->first_block + last->block_count;
}

// Everything that its threads did and knew, and their copies, precedes what follows the grid.
void grid_finish(Race *race, uint32_t number) {
  const Grid *grid = &race->program->grids[number];
  GridState *state = &race->grids[number];
  clock_learn_elsewhere(race, &state->end, &state->start);
  // Its fences precede what follows as everything does.
  released_drop(&race->heap, state->end.fences);
  released_drop(&race->heap, state->end.observed);
  released_drop(&race->heap, state->end.seen);
  state->end.fences = state->end.observed = state->end.seen = NULL;
  state->end.version = 0;
  clock_add_blocks(&race->heap, &state->end.part[CLOCK_THREADS], grid->first_block,
                   grid->block_count, CLOCK_FOREVER);
  clock_add_blocks(&race->heap, &state->end.part[CLOCK_AGENTS], AGENT_BANKS * grid->first_block,
                   AGENT_BANKS * grid->block_count, CLOCK_FOREVER);
}

void grid_wait_for(Race *race, const EmuWarp *emu, uint32_t grid) {
  warp_learn(race, warp_of(emu), emu->lanes, &race->grids[grid].end, true);
  warp_merge(&race->heap, warp_of(emu));
}

// A release fence before it reaches the threads that then start (spec E.3).
void grid_let_dependents(Race *race, const EmuWarp *emu) {
  spin_lock(&race->grid_lock);
  sync_fence_heads(race, emu, SCOPE_GPU, &race->grids[emu->block->grid].launch);
  spin_unlock(&race->grid_lock);
}

// --- blocks

static uint32_t lanes_of(const EmuBlock *emu, uint32_t warp) {
  uint32_t left = emu->thread_count - warp * WARP_LANES;
  return left >= WARP_LANES ? UINT32_MAX : (1u << left) - 1;
}

void block_start(Race *race, EmuBlock *emu) {
  const GridState *grid = &race->grids[emu->grid];
  Block *block = heap_take_cleared(&race->heap, sizeof *block);
  emu->watched = block;
  block->emu = emu;
  block->number = emu->number;
  block->live = emu->thread_count;
  block->first_place = grid->first_place;
  block->can_defer = block->defers = emu->cluster_size <= 1 && !grid->has_agents && !race->weak;
  block->code = race->program->grids[emu->grid].code->instructions;
  block->warps = heap_take(&race->heap, emu->warp_count * sizeof *block->warps);
  for (uint32_t w = 0; w < emu->warp_count; w++)
    warp_init(&block->warps[w], lanes_of(emu, w), &grid->start);
  shadow_init_shared(&block->shadow, &race->heap, emu->shared_bytes);
  if (emu->cluster_size > 1) {
    spin_lock(&race->grid_lock);
    race_cluster(race, emu)->blocks++;
    spin_unlock(&race->grid_lock);
  }
}

// --- visitors that a block may not wait for

// All that any thread of the block knows at its end.
static void learn_all(Race *race, const Block *block, Clock *known) {
  for (uint32_t w = 0; w < block->emu->warp_count; w++)
    for (uint32_t i = 0; i < block->warps[w].group_count; i++)
      clock_learn(race, known, &block->warps[w].groups[i].clock);
}

static bool is_known(const Clock *known, const Entry *entry) {
  ClockPart part = info_field(entry->info, INFO_BANK) ? CLOCK_AGENTS : CLOCK_THREADS;
  uint32_t block = entry->block;
  if (part == CLOCK_AGENTS)
    block = agent_block(block, info_field(entry->info, INFO_BANK));
  for (uint32_t warps = entry->warps; warps; warps &= warps - 1)
    if (clock_least(known->part[part], block, bits_first(warps), entry->lanes) < entry->time)
      return false;
  return true;
}

static void report_visitor(Race *race, const Block *block, const Entry *entry, uint64_t address) {
  const Grid *grid = &race->program->grids[block->emu->grid];
  RaceFinding found = {.rule = RULE_USE_AFTER_EXIT,
                       .sub = RULE_COUNT,
                       .address = address,
                       .is_shared = true,
                       .count = 1};
  found.sides[0] = (RaceSide){.instruction = race_instruction(race, entry->info),
                              .grid = block->emu->grid,
                              .block_in_grid = entry->block - grid->first_block,
                              .thread = bits_first(entry->warps) << 5 | bits_first(entry->lanes),
                              .is_write = true};
  found.sides[1] = found.sides[0];
  found.sides[1].block_in_grid = block->emu->number_in_grid;
  findings_add(race->findings, &found);
}

// Shared memory lasts as long as its block, which has to wait for the others' accesses, not just
// happen to end after them.
static void check_visitors(Race *race, const Block *block) {
  Clock known = {0};
  learn_all(race, block, &known);
  for (uint32_t p = 0; p < block->shadow.page_count; p++) {
    Page *page = block->shadow.pages[p];
    Cells cells = page ? page_cells(page) : (Cells){0};
    for (uint32_t w = 0; page && w < page->words; w++) {
      Entry room[2], *entries;
      if (word_has_pattern(&cells, w))
        word_make_list(&race->heap, &cells, w);
      if (word_has_list(&cells, w))
        word_end_crowd(&race->heap, &cells, w);
      uint32_t count = word_entries(&cells, w, &entries, room);
      for (uint32_t i = 0; i < count; i++)
        if (entries[i].block != block->number && !is_known(&known, &entries[i]))
          report_visitor(race, block, &entries[i], ((uint64_t)p << PAGE_SHIFT) + 4ull * w);
    }
  }
  clock_release(&race->heap, &known);
}

// --- ends

static void leave_cluster(Race *race, const EmuBlock *emu) {
  Cluster *cluster = emu->cluster_size > 1 ? cluster_find(race, emu->cluster) : NULL;
  if (!cluster || --cluster->blocks)
    return;
  clock_release(&race->heap, &cluster->joined);
  clock_release(&race->heap, &cluster->over);
  *cluster = race->clusters[--race->cluster_count];
}

// Of blocks of the grid, which all have ended when that is used, nothing needs to be passed on:
// what they know of each other grows with the square of their number.
static void leave_group(Race *race, const Grid *grid, GridState *state, const Group *group) {
  Clock clock;
  clock_copy(&clock, &group->clock);
  clock.version = 0;
  clock_forget_blocks(&race->heap, &clock.part[CLOCK_THREADS], grid->first_block,
                      grid->block_count);
  clock_forget_blocks(&race->heap, &clock.part[CLOCK_AGENTS], AGENT_BANKS * grid->first_block,
                      AGENT_BANKS * grid->block_count);
  clock_learn_elsewhere(race, &state->end, &clock);
  clock_release(&race->heap, &clock);
}

// What its threads knew of others; that they have ended is added when the grid has.
static void leave_knowledge(Race *race, const Block *block) {
  const Grid *grid = &race->program->grids[block->emu->grid];
  GridState *state = &race->grids[block->emu->grid];
  for (uint32_t w = 0; w < block->emu->warp_count; w++)
    for (uint32_t i = 0; i < block->warps[w].group_count; i++)
      if (!clock_is_equal(&block->warps[w].groups[i].clock, &state->start))
        leave_group(race, grid, state, &block->warps[w].groups[i]);
}

void block_finish(Race *race, EmuBlock *emu) {
  Block *block = emu->watched;
  if (!block)
    return;
  if (block->has_visitors && !race_is_off(race))
    check_visitors(race, block);
  race->accesses += block->accesses;
  spin_lock(&race->grid_lock);
  leave_knowledge(race, block);
  leave_cluster(race, emu);
  spin_unlock(&race->grid_lock);
  sync_release_locations(race, block);
  heap_give(&race->heap, block->plans, sizeof *block->plans);
  deferred_release(&race->heap, block);
  shadow_release(&block->shadow);
  race_release_barriers(race, block);
  async_release(race, block);
  for (uint32_t i = 0; block->communications && i < COMMUNICATIONS; i++)
    clock_drop(&race->heap, block->communications[i].writers);
  heap_give(&race->heap, block->communications, COMMUNICATIONS * sizeof(Communication));
  for (uint32_t w = 0; w < emu->warp_count; w++) {
    sync_forget_lanes(race, &block->warps[w], UINT32_MAX);
    warp_release(&race->heap, &block->warps[w]);
  }
  heap_give(&race->heap, block->warps, emu->warp_count * sizeof *block->warps);
  heap_give(&race->heap, block, sizeof *block);
  emu->watched = NULL;
}

// A copy whose source is shared memory has to be awaited while that lasts.
static void check_copies(Race *race, const Block *block, uint32_t warp, uint32_t lanes) {
  const LaneCopies *copies = block->warps[warp].copies;
  for (; copies && lanes; lanes &= lanes - 1) {
    uint32_t lane = bits_first(lanes);
    const CopyLine *line = &copies[lane].bulk;
    if (line->issued <= copies[lane].known[BANK_BULK_READS - 1])
      continue;
    RaceFinding found = {
        .rule = RULE_USE_AFTER_EXIT, .sub = RULE_COUNT, .is_shared = true, .count = 1};
    found.sides[0] = (RaceSide){.instruction = line->newest,
                                .grid = block->emu->grid,
                                .block_in_grid = block->emu->number_in_grid,
                                .thread = warp << 5 | lane,
                                .is_copy = true};
    found.sides[1] = found.sides[0];
    findings_add(race->findings, &found);
  }
}

// Barriers do not wait for threads that have exited, and so do not order what these did after the
// last barrier that they took part in.
void block_threads_end(Race *race, const EmuWarp *emu) {
  Block *block = block_of(emu);
  Warp *warp = warp_of(emu);
  uint32_t lanes = emu->lanes & warp->live;
  check_copies(race, block, emu->warp, lanes);
  warp->live &= ~lanes;
  block->live -= bits_count(lanes);
  if (warp->sync)
    sync_forget_lanes(race, warp, lanes == UINT32_MAX ? UINT32_MAX : lanes);
  if (warp->accessed <= block->full_time || !block->live)
    return;
  if (!warp->exit_times)
    warp->exit_times = heap_take_cleared(&race->heap, WARP_LANES * sizeof *warp->exit_times);
  if (!block->has_exits || block->full_time < block->most_uniform)
    block->most_uniform = block->full_time;
  block->has_exits = true;
  warp->exited |= lanes;
  for (; lanes; lanes &= lanes - 1)
    warp->exit_times[bits_first(lanes)] = block->full_time;
}
