// Adds threads to clocks: in place, after the nodes on the way to them have become those of the
// clock alone.
#include "race/clock_node.h"

#include <string.h>

// Wraps a node for one block, or part of it, in nodes up to the first level that holds the block.
static ClockNode *wrap(Heap *heap, ClockNode *node, uint32_t block, uint32_t warp) {
  while (node->level < 2 || block >= blocks_below(node->level)) {
    Draft draft = {.level = node->level + 1};
    draft.nodes[index_at(draft.level, block, warp << 5)] = node;
    node = clock_finish(heap, &draft);
  }
  return node;
}

static void join_new(Heap *heap, ClockNode **into, ClockNode *node) {
  clock_join(heap, into, node);
  clock_drop(heap, node);
}

// --- nodes of one clock alone

static ClockNode *clone(Heap *heap, ClockNode *node) {
  size_t size = node_size(node->level, node->present);
  ClockNode *copy = heap_take(heap, size);
  memcpy((void *)copy, (const void *)node, size);
  atomic_init(&copy->references, 1);
  for (uint32_t i = 0; node->level && i < bits_count(node->present); i++)
    clock_keep(children(node)[i]);
  if (node->level < 2)
    return copy;
  uint64_t next = clock_next_version(node);
  clock_start_lineage(heap, copy);
  if (next)
    copy->child.lineage.version = next;
  note_included(copy, node);
  return copy;
}

// Of the nodes on the way to the warp, as far as there are, down to a level.
static void make_own_path(Heap *heap, ClockNode **at, uint32_t block, uint32_t warp,
                          uint32_t level) {
  for (;;) {
    ClockNode *node = *at;
    if (atomic_load_explicit(&node->references, memory_order_acquire) > 1) {
      *at = clone(heap, node);
      clock_drop(heap, node);
      node = *at;
    }
    uint32_t i = index_at(node->level, block, warp << 5);
    if (node->level == level || !has(node, i))
      return;
    at = (ClockNode **)(uintptr_t)&children(node)[position(node, i)];
  }
}

// The node, or a larger one in its place, with a child more, which is to be set.
static ClockNode *insert(Heap *heap, ClockNode *node, uint32_t i) {
  uint32_t present = node->present | 1u << i, at = position(node, i);
  uint32_t behind = bits_count(node->present) - at;
  size_t old_size = node_size(node->level, node->present), size = node_size(node->level, present);
  size_t item = node->level ? sizeof(ClockNode *) : sizeof(uint32_t);
  size_t begin = (size_t)((const char *)children(node) - (const char *)node) + at * item;
  char *bytes = (char *)node, *moved = bytes;
  if (!heap_is_same_size(old_size, size)) {
    moved = heap_take(heap, size);
    memcpy(moved, bytes, begin);
  }
  memmove(moved + begin + item, bytes + begin, behind * item);
  if (moved != bytes)
    heap_give(heap, node, old_size);
  node = (ClockNode *)(void *)moved;
  node->present = present;
  return node;
}

// What has been added to the node is in no older version of it.
static ClockNode *changed(Heap *heap, ClockNode *node) {
  uint64_t next = node->level > 1 ? clock_next_version(node) : 0;
  if (node->level > 1)
    clock_start_lineage(heap, node);
  if (next)
    node->child.lineage.version = next;
  return clock_settle(heap, node);
}

// Lanes of a warp, the first of which has a time; those of the others are larger by `step` each.
typedef struct Addition {
  uint32_t block, warp, lanes;
  uint32_t time, step;
} Addition;

static uint32_t last_time(const Addition *added) {
  return added->time + added->step * (bits_count(added->lanes) - 1);
}

static ClockNode *raise_lanes(Heap *heap, ClockNode *node, const Addition *added) {
  uint32_t time = added->time;
  if (added->lanes == UINT32_MAX && !added->step && time >= node->top) {
    heap_give(heap, node, node_size(0, node->present));
    return clock_make_plain(heap, 0, time);
  }
  for (uint32_t left = added->lanes; left; left &= left - 1, time += added->step) {
    uint32_t i = bits_first(left);
    if (time <= node->base)
      continue;
    bool is_new = !has(node, i);
    if (is_new)
      node = insert(heap, node, i);
    uint32_t *own = &node->child.times[position(node, i)];
    *own = is_new || time > *own ? time : *own;
  }
  return node;
}

// Adds in place.
static ClockNode *raise(Heap *heap, ClockNode *node, const Addition *added) {
  uint32_t i = index_at(node->level, added->block, added->warp << 5), level = node->level;
  if (level) {
    bool is_new = !has(node, i);
    ClockNode *child =
        is_new ? clock_make_plain(heap, level - 1, node->base) : children(node)[position(node, i)];
    child = raise(heap, child, added);
    node = is_new ? insert(heap, node, i) : node;
    ((ClockNode **)(uintptr_t)children(node))[position(node, i)] = child;
  } else {
    node = raise_lanes(heap, node, added);
  }
  node->top = last_time(added) > node->top ? last_time(added) : node->top;
  return changed(heap, node);
}

static bool add_in_place(Heap *heap, ClockNode **into, const Addition *added) {
  if (!*into || added->block >= blocks_below((*into)->level))
    return false;
  make_own_path(heap, into, added->block, added->warp, 0);
  *into = raise(heap, *into, added);
  return true;
}

void clock_add_lanes(Heap *heap, ClockNode **into, uint32_t block, uint32_t warp, uint32_t lanes,
                     uint32_t time) {
  if (!time || !lanes || clock_least(*into, block, warp, lanes) >= time)
    return;
  if (add_in_place(heap, into, &(Addition){block, warp, lanes, time, 0}))
    return;
  Draft draft = {.level = 0, .base = lanes == UINT32_MAX ? time : 0};
  for (uint32_t left = lanes; left; left &= left - 1)
    draft.times[bits_first(left)] = time;
  join_new(heap, into, wrap(heap, clock_finish(heap, &draft), block, warp));
}

void clock_add_series(Heap *heap, ClockNode **into, uint32_t block, uint32_t warp, uint32_t lanes,
                      uint32_t first_time) {
  if (lanes && add_in_place(heap, into, &(Addition){block, warp, lanes, first_time, 1}))
    return;
  Draft draft = {.level = 0};
  for (uint32_t left = lanes; left; left &= left - 1)
    draft.times[bits_first(left)] = first_time++;
  join_new(heap, into, wrap(heap, clock_finish(heap, &draft), block, warp));
}

// --- whole blocks

// Takes over the reference of the block's node, if there is one.
static ClockNode *raise_whole(Heap *heap, ClockNode *node, uint32_t time) {
  ClockNode *plain = clock_make_plain(heap, 1, time);
  if (node && node->top > time)
    clock_join(heap, &plain, node);
  clock_drop(heap, node);
  return plain;
}

static ClockNode *raise_block(Heap *heap, ClockNode *node, uint32_t block, uint32_t time) {
  if (node->level == 1)
    return raise_whole(heap, node, time);
  uint32_t i = index_at(node->level, block, 0), level = node->level;
  bool is_new = !has(node, i);
  ClockNode *child = is_new ? level > 2 ? clock_make_plain(heap, level - 1, node->base) : NULL
                            : children(node)[position(node, i)];
  child = level == 2 ? raise_whole(heap, child, time) : raise_block(heap, child, block, time);
  node = is_new ? insert(heap, node, i) : node;
  ((ClockNode **)(uintptr_t)children(node))[position(node, i)] = child;
  node->top = time > node->top ? time : node->top;
  return changed(heap, node);
}

void clock_add_block(Heap *heap, ClockNode **into, uint32_t block, uint32_t time) {
  if (!time || clock_base(*into, block) >= time)
    return;
  if (!*into || block >= blocks_below((*into)->level)) {
    join_new(heap, into, wrap(heap, clock_make_plain(heap, 1, time), block, 0));
    return;
  }
  make_own_path(heap, into, block, 0, (*into)->level > 1 ? 2 : 1);
  *into = raise_block(heap, *into, block, time);
}

// The part of [first, first + count) that lies below a node of the level whose first block is
// `begin`.
static ClockNode *make_range(Heap *heap, uint32_t level, uint64_t begin, uint64_t first,
                             uint64_t end, uint32_t time) {
  uint64_t size = blocks_below(level);
  if (end <= begin || begin + size <= first)
    return NULL;
  if (first <= begin && begin + size <= end)
    return clock_make_plain(heap, level, time);
  Draft draft = {.level = level};
  uint64_t step = blocks_below(level - 1);
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++)
    draft.nodes[i] = make_range(heap, level - 1, begin + i * step, first, end, time);
  return clock_finish(heap, &draft);
}

void clock_add_blocks(Heap *heap, ClockNode **into, uint32_t first, uint32_t count, uint32_t time) {
  uint64_t end = (uint64_t)first + count;
  uint32_t level = 2;
  if (!count || !time)
    return;
  while (blocks_below(level) < end)
    level++;
  join_new(heap, into, make_range(heap, level, 0, first, end, time));
}
