// Which blocks start next, and how many a place of the grid's window gets for a round: blocks that
// come to their end in a round follow each other there, so that a round is worth its beginning.
#include "emu/order.h"

enum {
  SHARE_OPS = 1 << 13, // of a place in a round, if its blocks are short; half of what it may have
  MOST_SHARE = 256,
};

static uint32_t cluster_count(const GridState *grid) {
  return grid->grid->block_count / grid_volume(grid->grid->cluster);
}

// --- the order

// Which block is first is not specified. Clusters stay together.
void emu_choose_order(Emu *emu, GridState *grid) {
  uint32_t clusters = cluster_count(grid);
  grid->share = 1;
  grid->order_step = 1;
  grid->order_start = 0;
  if (emu->options->schedule == EMU_SCHEDULE_ROUND_ROBIN || clusters < 2)
    return;
  grid->order_start = (uint32_t)(emu_random(&emu->random) % clusters);
  // Going down, or up: neighbours stay neighbours, which is what caches like.
  grid->order_step = emu_random(&emu->random) & 1 ? 1 : clusters - 1;
  // Where not all blocks fit it may matter which are there together.
  bool is_limited = grid->grid->resident && grid->grid->resident < grid->grid->block_count;
  grid->evens_first = is_limited && emu_random(&emu->random) & 1;
}

uint32_t emu_block_at(const GridState *grid, uint32_t position, uint32_t rank) {
  uint32_t clusters[3], id[3], count = cluster_count(grid), evens = (count + 1) / 2;
  if (grid->evens_first)
    position = position < evens ? 2 * position : 2 * (position - evens) + 1;
  uint64_t index = grid->order_start + (uint64_t)position * grid->order_step;
  for (uint32_t i = 0; i < 3; i++)
    clusters[i] = grid->grid->size[i] / grid->grid->cluster[i];
  grid_split((uint32_t)(index % count), clusters, id);
  for (uint32_t i = 0; i < 3; i++)
    id[i] *= grid->grid->cluster[i];
  return grid_cluster_block(grid->grid, id, rank);
}

// --- what has started

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static Stretch take_returned(GridState *grid, uint32_t wanted) {
  Stretch *last = &grid->returned.items[grid->returned.count - 1];
  Stretch taken = {last->first, least(last->count, wanted)};
  last->first += taken.count;
  last->count -= taken.count;
  grid->returned.count -= last->count == 0;
  return taken;
}

Stretch emu_take_stretch(GridState *grid, uint32_t wanted) {
  Stretch taken = {grid->next_position, least(cluster_count(grid) - grid->next_position, wanted)};
  if (grid->returned.count)
    taken = take_returned(grid, wanted);
  else
    grid->next_position += taken.count;
  grid->started += taken.count * grid_volume(grid->grid->cluster);
  return taken;
}

static void return_stretch(Emu *emu, GridState *grid, Stretch stretch) {
  array_push(emu->arena, &grid->returned, stretch);
  grid->started -= stretch.count;
}

// --- shares

// The last blocks are for all places.
uint32_t emu_share(const GridState *grid) {
  uint32_t free = grid->window > grid->running ? grid->window - grid->running : 1;
  uint32_t left = grid->grid->block_count - grid->started;
  if (grid_volume(grid->grid->cluster) > 1)
    return 1;
  return least(grid->share, left / free + (left % free != 0));
}

void emu_end_share(Emu *emu, Block *block) {
  GridState *grid = block->grid;
  bool is_whole = !block->alive && !block->has_begun && !block->next.count;
  if (block->next.count) {
    return_stretch(emu, grid, block->next);
    grid->has_returned = true;
  }
  block->next.count = 0;
  grid->has_waiting |= !is_whole;
  if (block->round_ops > grid->most_ops)
    grid->most_ops = block->round_ops;
}

void emu_adapt_share(GridState *grid) {
  bool is_long = grid->has_returned || grid->most_ops > SHARE_OPS;
  if (!grid->has_waiting && grid->most_ops <= SHARE_OPS / 2 && grid->share < MOST_SHARE)
    grid->share *= 2;
  else if (is_long && grid->share > 1)
    grid->share /= 2;
  grid->most_ops = 0;
  grid->has_waiting = grid->has_returned = false;
}
