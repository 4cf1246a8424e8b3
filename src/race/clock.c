#include "race/clock_node.h"

#include <string.h>

ClockNode *clock_keep(ClockNode *clock) {
  if (clock)
    atomic_fetch_add_explicit(&clock->references, 1, memory_order_relaxed);
  return clock;
}

void clock_drop(Heap *heap, ClockNode *clock) {
  if (!clock || atomic_fetch_sub_explicit(&clock->references, 1, memory_order_acq_rel) > 1)
    return;
  if (clock->level)
    for (uint32_t i = 0; i < bits_count(clock->present); i++)
      clock_drop(heap, children(clock)[i]);
  heap_give(heap, clock, node_size(clock->level, clock->present));
}

// --- versions

// The version after that of the node, if no other has it yet; 0: it has.
static uint64_t next_version(const ClockNode *node) {
  enum { STEPS = 1 << STEP_BITS };
  uint64_t next = node->child.lineage.version + 1;
  return next % STEPS && !atomic_exchange(&lineage_at(node)->is_old, true) ? next : 0;
}

static void start_lineage(Heap *heap, ClockNode *node) {
  Lineage *lineage = lineage_at(node);
  lineage->version = (atomic_fetch_add_explicit(&heap->lineages, 1, memory_order_relaxed) + 1)
                     << STEP_BITS;
  atomic_init(&lineage->included[0], 0);
  atomic_init(&lineage->included[1], 0);
  atomic_init(&lineage->is_old, false);
}

// The node has been made of both.
static ClockNode *follow(ClockNode *node, const ClockNode *a, const ClockNode *b) {
  if (node->level < 2)
    return node;
  uint64_t next = next_version(a);
  next = next ? next : next_version(b);
  if (next)
    node->child.lineage.version = next;
  note_included(node, a);
  note_included(node, b);
  return node;
}

// --- making nodes

// A node under construction: all 32 children, absent ones NULL or 0.
typedef struct Draft {
  uint32_t level, base;
  ClockNode *nodes[CLOCK_FANOUT];
  uint32_t times[CLOCK_FANOUT];
} Draft;

// What is known of everything below.
static uint32_t least_below(const Draft *draft) {
  uint32_t least = CLOCK_FOREVER;
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++) {
    uint32_t own = draft->level ? (draft->nodes[i] ? draft->nodes[i]->base : 0) : draft->times[i];
    if (own < least)
      least = own;
  }
  return least;
}

static uint32_t top_of(const Draft *draft, uint32_t i) {
  if (!draft->level)
    return draft->times[i];
  return draft->nodes[i] ? draft->nodes[i]->top : 0;
}

// Takes over the references of the draft's children; those that tell nothing new are dropped.
static ClockNode *finish(Heap *heap, Draft *draft) {
  uint32_t least = least_below(draft), present = 0;
  if (least > draft->base)
    draft->base = least;
  uint32_t top = draft->base;
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++) {
    uint32_t own = top_of(draft, i);
    if (own > draft->base)
      present |= 1u << i;
    else if (draft->level)
      clock_drop(heap, draft->nodes[i]);
    if (own > top)
      top = own;
  }
  ClockNode *node = heap_take(heap, node_size(draft->level, present));
  atomic_init(&node->references, 1);
  node->level = draft->level;
  node->present = present;
  node->base = draft->base;
  node->top = top;
  uint32_t count = 0;
  ClockNode **nodes = (ClockNode **)(uintptr_t)children(node);
  for (uint32_t left = present; left; left &= left - 1)
    if (draft->level)
      nodes[count++] = draft->nodes[bits_first(left)];
    else
      node->child.times[count++] = draft->times[bits_first(left)];
  if (node->level > 1)
    start_lineage(heap, node);
  return node;
}

static ClockNode *make_plain(Heap *heap, uint32_t level, uint32_t base) {
  Draft draft = {.level = level, .base = base};
  return finish(heap, &draft);
}

// A node of the given level above `child`, which is for blocks from 0; takes over the reference.
static ClockNode *raise_to(Heap *heap, ClockNode *child, uint32_t level) {
  while (child->level < level) {
    Draft draft = {.level = child->level + 1};
    draft.nodes[0] = child;
    child = finish(heap, &draft);
  }
  return child;
}

// --- joining

static ClockNode *join(Heap *heap, ClockNode *a, ClockNode *b);

static void join_children(Heap *heap, Draft *draft, const ClockNode *a, const ClockNode *b) {
  uint32_t i = 0, j = 0;
  for (uint32_t left = a->present | b->present; left; left &= left - 1) {
    uint32_t k = bits_first(left);
    bool in_a = has(a, k), in_b = has(b, k);
    if (draft->level) {
      ClockNode *first = in_a ? children(a)[i++] : NULL;
      ClockNode *second = in_b ? children(b)[j++] : NULL;
      draft->nodes[k] = join(heap, first, second);
      continue;
    }
    uint32_t first = in_a ? a->child.times[i++] : 0, second = in_b ? b->child.times[j++] : 0;
    draft->times[k] = first > second ? first : second;
  }
}

// Is the draft, whose children are its own references, the same as the node?
static bool is_same(const Draft *draft, const ClockNode *node) {
  if (draft->base != node->base)
    return false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++) {
    if (!has(node, i)) {
      if (top_of(draft, i) > draft->base)
        return false;
      continue;
    }
    if (draft->level ? draft->nodes[i] != children(node)[count]
                     : draft->times[i] != node->child.times[count])
      return false;
    count++;
  }
  return true;
}

static ClockNode *give_up_for(Heap *heap, Draft *draft, ClockNode *node) {
  if (draft->level)
    for (uint32_t i = 0; i < CLOCK_FANOUT; i++)
      clock_drop(heap, draft->nodes[i]);
  return clock_keep(node);
}

// Both of one level, or NULL. The result is a new reference; it is one of the two where possible.
static ClockNode *join(Heap *heap, ClockNode *a, ClockNode *b) {
  if (a == b || !b || (a && a->base >= b->top))
    return clock_keep(a);
  if (!a || b->base >= a->top)
    return clock_keep(b);
  if (a->level > 1 && is_included(a, b))
    return clock_keep(a);
  if (a->level > 1 && is_included(b, a))
    return clock_keep(b);
  Draft draft = {.level = a->level, .base = a->base > b->base ? a->base : b->base};
  join_children(heap, &draft, a, b);
  bool is_a = is_same(&draft, a);
  if (is_a || is_same(&draft, b)) {
    ClockNode *kept = is_a ? a : b;
    if (a->level > 1)
      note_included(kept, is_a ? b : a);
    return give_up_for(heap, &draft, kept);
  }
  return follow(finish(heap, &draft), a, b);
}

void clock_join(Heap *heap, ClockNode **into, ClockNode *other) {
  ClockNode *old = *into;
  // To look whether one of the two has all costs less than to make what both have.
  if (clock_covers(old, other))
    return;
  if (clock_covers(other, old)) {
    *into = clock_keep(other);
    clock_drop(heap, old);
    return;
  }
  ClockNode *second = clock_keep(other);
  uint32_t level = old->level > second->level ? old->level : second->level;
  old = raise_to(heap, old, level);
  second = raise_to(heap, second, level);
  *into = join(heap, old, second);
  clock_drop(heap, old);
  clock_drop(heap, second);
}

// --- adding

// Wraps a node for one block, or part of it, in nodes up to the first level that holds the block.
static ClockNode *wrap(Heap *heap, ClockNode *node, uint32_t block, uint32_t warp) {
  while (node->level < 2 || block >= blocks_below(node->level)) {
    Draft draft = {.level = node->level + 1};
    draft.nodes[index_at(draft.level, block, warp << 5)] = node;
    node = finish(heap, &draft);
  }
  return node;
}

static void join_new(Heap *heap, ClockNode **into, ClockNode *node) {
  clock_join(heap, into, node);
  clock_drop(heap, node);
}

// --- adding to what nobody else has

// Are all nodes on the way to the warp, as far as there are, of this clock alone?
static bool is_own_path(const ClockNode *node, uint32_t block, uint32_t warp) {
  while (atomic_load_explicit(&node->references, memory_order_acquire) == 1) {
    uint32_t i = index_at(node->level, block, warp << 5);
    if (!node->level || !has(node, i))
      return true;
    node = children(node)[position(node, i)];
  }
  return false;
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

// The children, of which all are there, may have become equal.
static ClockNode *settle(Heap *heap, ClockNode *node) {
  Draft draft = {.level = node->level, .base = node->base};
  if (node->present != UINT32_MAX)
    return node;
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++)
    if (node->level)
      draft.nodes[i] = children(node)[i];
    else
      draft.times[i] = node->child.times[i];
  if (least_below(&draft) <= node->base)
    return node;
  heap_give(heap, node, node_size(node->level, node->present));
  return finish(heap, &draft);
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
    return make_plain(heap, 0, time);
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
        is_new ? make_plain(heap, level - 1, node->base) : children(node)[position(node, i)];
    child = raise(heap, child, added);
    node = is_new ? insert(heap, node, i) : node;
    ((ClockNode **)(uintptr_t)children(node))[position(node, i)] = child;
  } else {
    node = raise_lanes(heap, node, added);
  }
  node->top = last_time(added) > node->top ? last_time(added) : node->top;
  if (level > 1)
    start_lineage(heap, node);
  return settle(heap, node);
}

static bool add_in_place(Heap *heap, ClockNode **into, const Addition *added) {
  if (!*into || added->block >= blocks_below((*into)->level) ||
      !is_own_path(*into, added->block, added->warp))
    return false;
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
  join_new(heap, into, wrap(heap, finish(heap, &draft), block, warp));
}

void clock_add_series(Heap *heap, ClockNode **into, uint32_t block, uint32_t warp, uint32_t lanes,
                      uint32_t first_time) {
  if (lanes && add_in_place(heap, into, &(Addition){block, warp, lanes, first_time, 1}))
    return;
  Draft draft = {.level = 0};
  for (uint32_t left = lanes; left; left &= left - 1)
    draft.times[bits_first(left)] = first_time++;
  join_new(heap, into, wrap(heap, finish(heap, &draft), block, warp));
}

void clock_add_block(Heap *heap, ClockNode **into, uint32_t block, uint32_t time) {
  if (time)
    join_new(heap, into, wrap(heap, make_plain(heap, 1, time), block, 0));
}

// The part of [first, first + count) that lies below a node of the level whose first block is
// `begin`.
static ClockNode *make_range(Heap *heap, uint32_t level, uint64_t begin, uint64_t first,
                             uint64_t end, uint32_t time) {
  uint64_t size = blocks_below(level);
  if (end <= begin || begin + size <= first)
    return NULL;
  if (first <= begin && begin + size <= end)
    return make_plain(heap, level, time);
  Draft draft = {.level = level};
  uint64_t step = blocks_below(level - 1);
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++)
    draft.nodes[i] = make_range(heap, level - 1, begin + i * step, first, end, time);
  return finish(heap, &draft);
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

// --- forgetting

// What is known of blocks outside of the range; `begin` is the first block below the node.
static ClockNode *without_range(Heap *heap, ClockNode *node, uint64_t begin, uint64_t first,
                                uint64_t end) {
  uint64_t size = blocks_below(node->level), step = blocks_below(node->level - 1);
  if (end <= begin || begin + size <= first)
    return clock_keep(node);
  if (first <= begin && begin + size <= end)
    return NULL;
  Draft draft = {.level = node->level, .base = node->base};
  uint32_t count = 0;
  bool is_empty = !node->base;
  for (uint32_t left = node->present; left; left &= left - 1) {
    uint32_t i = bits_first(left);
    draft.nodes[i] = without_range(heap, children(node)[count++], begin + i * step, first, end);
    is_empty &= !draft.nodes[i];
  }
  return is_empty ? NULL : finish(heap, &draft);
}

void clock_forget_blocks(Heap *heap, ClockNode **into, uint32_t first, uint32_t count) {
  ClockNode *old = *into;
  if (!old || !count)
    return;
  *into = without_range(heap, old, 0, first, (uint64_t)first + count);
  clock_drop(heap, old);
}

static ClockNode *without(Heap *heap, ClockNode *node, uint32_t block) {
  uint32_t i = index_at(node->level, block, 0);
  if (node->level == 1 || !has(node, i))
    return node->level == 1 ? NULL : clock_keep(node);
  ClockNode *old = children(node)[position(node, i)];
  ClockNode *child = without(heap, old, block);
  if (!child && node->present == 1u << i && !node->base)
    return NULL;
  Draft draft = {.level = node->level, .base = node->base};
  uint32_t count = 0;
  for (uint32_t left = node->present; left; left &= left - 1) {
    uint32_t k = bits_first(left);
    ClockNode *own = children(node)[count++];
    draft.nodes[k] = k == i ? child : clock_keep(own);
  }
  return finish(heap, &draft);
}

void clock_forget_block(Heap *heap, ClockNode **into, uint32_t block) {
  ClockNode *old = *into;
  if (!old || block >= blocks_below(old->level))
    return;
  *into = without(heap, old, block);
  clock_drop(heap, old);
}

size_t clock_bytes(const ClockNode *clock) {
  if (!clock)
    return 0;
  size_t bytes = node_size(clock->level, clock->present);
  for (uint32_t i = 0; clock->level && i < bits_count(clock->present); i++)
    bytes += clock_bytes(children(clock)[i]);
  return bytes;
}
