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

uint64_t clock_next_version(const ClockNode *node) {
  enum { STEPS = 1 << STEP_BITS };
  uint64_t next = node->child.lineage.version + 1;
  return next % STEPS && !atomic_exchange(&lineage_at(node)->is_old, true) ? next : 0;
}

void clock_start_lineage(Heap *heap, ClockNode *node) {
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
  uint64_t next = clock_next_version(a);
  next = next ? next : clock_next_version(b);
  if (next)
    node->child.lineage.version = next;
  note_included(node, a);
  note_included(node, b);
  return node;
}

// --- making nodes

uint32_t clock_least_below(const Draft *draft) {
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

ClockNode *clock_finish(Heap *heap, Draft *draft) {
  uint32_t least = clock_least_below(draft), present = 0;
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
    clock_start_lineage(heap, node);
  return node;
}

ClockNode *clock_make_plain(Heap *heap, uint32_t level, uint32_t base) {
  Draft draft = {.level = level, .base = base};
  return clock_finish(heap, &draft);
}

ClockNode *clock_settle(Heap *heap, ClockNode *node) {
  Draft draft = {.level = node->level, .base = node->base};
  if (node->present != UINT32_MAX)
    return node;
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++)
    if (node->level)
      draft.nodes[i] = children(node)[i];
    else
      draft.times[i] = node->child.times[i];
  if (clock_least_below(&draft) <= node->base)
    return node;
  heap_give(heap, node, node_size(node->level, node->present));
  return clock_finish(heap, &draft);
}

// A node of the given level above `child`, which is for blocks from 0; takes over the reference.
static ClockNode *raise_to(Heap *heap, ClockNode *child, uint32_t level) {
  while (child->level < level) {
    Draft draft = {.level = child->level + 1};
    draft.nodes[0] = child;
    child = clock_finish(heap, &draft);
  }
  return child;
}

// --- joining

static ClockNode *join(Heap *heap, ClockNode *a, ClockNode *b);

// Is the draft of a warp's lanes the same as the node?
static bool is_same(const Draft *draft, const ClockNode *node) {
  uint32_t count = 0;
  if (draft->base != node->base)
    return false;
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++)
    if (has(node, i) ? draft->times[i] != node->child.times[count++]
                     : draft->times[i] > draft->base)
      return false;
  return true;
}

// Of two warps' lanes.
static ClockNode *join_times(Heap *heap, ClockNode *a, ClockNode *b) {
  Draft draft = {.level = 0, .base = a->base > b->base ? a->base : b->base};
  uint32_t i = 0, j = 0;
  for (uint32_t left = a->present | b->present; left; left &= left - 1) {
    uint32_t k = bits_first(left), first = has(a, k) ? a->child.times[i++] : 0;
    uint32_t second = has(b, k) ? b->child.times[j++] : 0;
    draft.times[k] = first > second ? first : second;
  }
  if (is_same(&draft, a))
    return clock_keep(a);
  return is_same(&draft, b) ? clock_keep(b) : clock_finish(heap, &draft);
}

// The node, but for children that are replaced or added, whose references it takes over.
static ClockNode *with_children(Heap *heap, const ClockNode *node, uint32_t replaced,
                                ClockNode *const *others, uint32_t top) {
  uint32_t present = node->present | replaced, count = 0, i = 0;
  ClockNode *made = heap_take(heap, node_size(node->level, present));
  atomic_init(&made->references, 1);
  made->level = node->level;
  made->present = present;
  made->base = node->base;
  made->top = top;
  ClockNode **nodes = (ClockNode **)(uintptr_t)children(made);
  for (uint32_t left = present; left; left &= left - 1) {
    uint32_t k = bits_first(left);
    nodes[count++] = replaced >> k & 1 ? others[k] : clock_keep(children(node)[i]);
    i += has(node, k);
  }
  if (node->level > 1)
    clock_start_lineage(heap, made);
  return clock_settle(heap, made);
}

// What the children of a node make of those of another one, whose base is not larger: replaced are
// those that grow. True: they are the other's.
static bool join_children(Heap *heap, const ClockNode *a, const ClockNode *b, ClockNode **made,
                          uint32_t *replaced) {
  bool is_b = a->base == b->base && !(a->present & ~b->present);
  uint32_t j = 0;
  for (uint32_t left = b->present; left; left &= left - 1) {
    uint32_t k = bits_first(left);
    ClockNode *own = has(a, k) ? children(a)[position(a, k)] : NULL, *other = children(b)[j++];
    if (own == other || other->top <= a->base)
      continue;
    made[k] = join(heap, own, other);
    is_b &= made[k] == other;
    if (made[k] == own)
      clock_drop(heap, own);
    else
      *replaced |= 1u << k;
  }
  return is_b;
}

static ClockNode *join_nodes(Heap *heap, ClockNode *a, ClockNode *b) {
  ClockNode *made[CLOCK_FANOUT];
  uint32_t replaced = 0;
  if (a->base < b->base)
    return join_nodes(heap, b, a);
  bool is_b = join_children(heap, a, b, made, &replaced);
  if (replaced && !is_b)
    return follow(with_children(heap, a, replaced, made, a->top > b->top ? a->top : b->top), a, b);
  for (uint32_t left = replaced; left; left &= left - 1)
    clock_drop(heap, made[bits_first(left)]);
  ClockNode *kept = replaced ? b : a;
  if (a->level > 1)
    note_included(kept, replaced ? a : b);
  return clock_keep(kept);
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
  return a->level ? join_nodes(heap, a, b) : join_times(heap, a, b);
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
  return is_empty ? NULL : clock_finish(heap, &draft);
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
  return clock_finish(heap, &draft);
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
