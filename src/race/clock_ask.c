// What is known to clocks.
#include "race/clock_node.h"

uint32_t clock_time(const ClockNode *clock, uint32_t block, uint32_t slot) {
  if (!clock || block >= blocks_below(clock->level))
    return 0;
  uint32_t time = clock->base;
  for (;;) {
    uint32_t i = index_at(clock->level, block, slot);
    if (!has(clock, i))
      return time;
    if (clock->level == 0) {
      uint32_t own = clock->child.times[position(clock, i)];
      return own > time ? own : time;
    }
    clock = children(clock)[position(clock, i)];
    if (clock->base > time)
      time = clock->base;
  }
}

uint32_t clock_least(const ClockNode *clock, uint32_t block, uint32_t warp, uint32_t lanes) {
  uint32_t least = CLOCK_FOREVER;
  if (!clock || block >= blocks_below(clock->level))
    return 0;
  uint32_t base = clock->base;
  while (clock->level) {
    uint32_t i = index_at(clock->level, block, warp << 5);
    if (!has(clock, i))
      return base;
    clock = children(clock)[position(clock, i)];
    if (clock->base > base)
      base = clock->base;
  }
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    uint32_t own = has(clock, lane) ? clock->child.times[position(clock, lane)] : 0;
    own = own > base ? own : base;
    if (own < least)
      least = own;
  }
  return least;
}

// Of blocks first to end - 1.
typedef struct Range {
  uint64_t first, end;
  uint32_t threads; // of each
  uint32_t time;
} Range;

// `base` is known of everything below the node, whose first thread is `slot` of `block`.
static bool knows(const ClockNode *node, uint32_t level, uint32_t base, const Range *range,
                  uint64_t block, uint32_t slot) {
  if (node && node->base > base)
    base = node->base;
  if (base >= range->time || slot >= range->threads || block >= range->end ||
      block + blocks_below(level) <= range->first)
    return true;
  if (!node)
    return false;
  uint32_t child_slot = level == 0 ? 1 : level == 1 ? CLOCK_FANOUT : 0, count = 0;
  uint64_t child_block = level < 2 ? 0 : blocks_below(level - 1);
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++, slot += child_slot, block += child_block) {
    bool is_present = has(node, i);
    if (level) {
      if (!knows(is_present ? children(node)[count] : NULL, level - 1, base, range, block, slot))
        return false;
    } else if (slot < range->threads && !(is_present && node->child.times[count] >= range->time)) {
      return false;
    }
    count += is_present;
  }
  return true;
}

bool clock_knows_blocks(const ClockNode *clock, uint64_t first, uint64_t end, uint32_t threads,
                        uint32_t time) {
  Range range = {first, end, threads, time};
  if (first >= end)
    return true;
  return clock && end <= blocks_below(clock->level) && knows(clock, clock->level, 0, &range, 0, 0);
}

bool clock_is_of_block(const ClockNode *clock, uint32_t block) {
  if (clock && block >= blocks_below(clock->level))
    return false;
  while (clock && clock->level > 1) {
    uint32_t i = index_at(clock->level, block, 0);
    if (clock->base || clock->present & ~(1u << i))
      return false;
    clock = has(clock, i) ? children(clock)[0] : NULL;
  }
  return true;
}

// The node of the block or the last one on the way to it, and what is known of everything there.
static const ClockNode *go_to_block(const ClockNode *clock, uint32_t block, uint32_t *base) {
  *base = clock->base;
  while (clock->level > 1) {
    uint32_t i = index_at(clock->level, block, 0);
    if (!has(clock, i))
      break;
    clock = children(clock)[position(clock, i)];
    *base = clock->base > *base ? clock->base : *base;
  }
  return clock;
}

uint32_t clock_base(const ClockNode *clock, uint32_t block) {
  uint32_t base;
  if (!clock || block >= blocks_below(clock->level))
    return 0;
  go_to_block(clock, block, &base);
  return base;
}

uint32_t clock_latest(const ClockNode *clock, uint32_t block) {
  uint32_t base;
  if (!clock || block >= blocks_below(clock->level))
    return 0;
  const ClockNode *node = go_to_block(clock, block, &base);
  return node->level == 1 && node->top > base ? node->top : base;
}

// Where a search is: a node, or NULL, of a level, whose first thread is `slot` of `block`.
typedef struct Search {
  ClockWanted *is_wanted;
  const void *context;
  uint32_t *block, *slot;
} Search;

static bool find(const Search *search, const ClockNode *node, uint32_t level, uint32_t base,
                 uint64_t block, uint32_t slot) {
  if (node && node->base > base)
    base = node->base;
  uint32_t child_slot = level == 0 ? 1 : level == 1 ? CLOCK_FANOUT : 0, count = 0;
  uint64_t child_block = level < 2 ? 0 : blocks_below(level - 1);
  for (uint32_t i = 0; i < CLOCK_FANOUT; i++, slot += child_slot, block += child_block) {
    bool is_present = node && has(node, i);
    const ClockNode *child = is_present && level ? children(node)[count] : NULL;
    uint32_t time = is_present && !level ? node->child.times[count] : 0;
    time = time > base ? time : base;
    count += is_present;
    if (level && (child || time) && find(search, child, level - 1, base, block, slot))
      return true;
    if (level || !time || !search->is_wanted(search->context, (uint32_t)block, slot, time))
      continue;
    *search->block = (uint32_t)block;
    *search->slot = slot;
    return true;
  }
  return false;
}

bool clock_find(const ClockNode *clock, ClockWanted *is_wanted, const void *context,
                uint32_t *block, uint32_t *slot) {
  Search search = {is_wanted, context, block, slot};
  return clock && find(&search, clock, clock->level, 0, 0, 0);
}

static bool covers(const ClockNode *a, uint32_t base, const ClockNode *b);

static const ClockNode *child_at(const ClockNode *node, uint32_t i) {
  return has(node, i) ? children(node)[position(node, i)] : NULL;
}

static bool covers_children(const ClockNode *a, uint32_t base, const ClockNode *b) {
  uint32_t count = 0;
  for (uint32_t left = b->present; left; left &= left - 1, count++) {
    uint32_t i = bits_first(left);
    if (b->level) {
      if (!covers(child_at(a, i), base, children(b)[count]))
        return false;
      continue;
    }
    uint32_t own = has(a, i) ? a->child.times[position(a, i)] : 0;
    if (b->child.times[count] > (own > base ? own : base))
      return false;
  }
  return true;
}

// `base` is known of everything below the place of both nodes, which are of one level.
static bool covers(const ClockNode *a, uint32_t base, const ClockNode *b) {
  if (a == b)
    return true;
  bool is_alone = a && a->base >= base;
  if (is_alone)
    base = a->base;
  if (base >= b->top)
    return true;
  if (!a || b->base > base)
    return false;
  if (b->level < 2)
    return covers_children(a, base, b);
  if (is_included(a, b))
    return true;
  if (!covers_children(a, base, b))
    return false;
  if (is_alone)
    note_included(a, b);
  return true;
}

bool clock_covers(const ClockNode *clock, const ClockNode *other) {
  if (!other || clock == other)
    return true;
  if (!clock)
    return false;
  uint32_t base = 0;
  while (clock && clock->level > other->level) {
    base = clock->base > base ? clock->base : base;
    clock = child_at(clock, 0);
  }
  if (clock && clock->level < other->level)
    return false;
  return covers(clock, base, other);
}
