// A node of a clock, and what it is asked for by all who go through clocks. Internal to clock.c,
// clock_add.c and clock_ask.c.
#ifndef WARPSAN_RACE_CLOCK_NODE_H
#define WARPSAN_RACE_CLOCK_NODE_H

#include "race/clock.h"

#include "base/bits.h"

// What grows by one addition after the other, as the clock of all that arrive at a barrier, is
// compared with parts of what it has come from again and again. Nodes of many blocks have versions
// for that: a lineage, and the step in it. A later version has all of an earlier one.
typedef struct Lineage {
  uint64_t version;
  // Versions of nodes that have been found to have all of this one.
  atomic_uint_fast64_t included[2];
  atomic_bool is_old; // another node has the next version
} Lineage;

// Level 0: children are the times of a warp's lanes; 1: the warps of a block; from 2 on: blocks.
// Invariants: base <= each child's top, else the child would be absent; top is the largest time.
struct ClockNode {
  atomic_uint references;
  uint32_t level;
  uint32_t present; // mask of children; the others know `base`
  uint32_t base, top;
  uint32_t padding;
  union {
    ClockNode *nodes[1]; // as many as are present, in order
    uint32_t times[1];
    Lineage lineage; // of nodes of many blocks, whose children follow
  } child;
};

static inline size_t node_size(uint32_t level, uint32_t present) {
  size_t item = level ? sizeof(ClockNode *) : sizeof(uint32_t);
  size_t lineage = level > 1 ? sizeof(Lineage) : 0;
  return offsetof(ClockNode, child) + lineage + item * bits_count(present);
}

static inline ClockNode *const *children(const ClockNode *node) {
  const void *first = node->level > 1 ? (const void *)(&node->child.lineage + 1) : &node->child;
  return first;
}

static inline uint32_t position(const ClockNode *node, uint32_t i) {
  return bits_count(node->present & ((1u << i) - 1));
}

static inline bool has(const ClockNode *node, uint32_t i) {
  return node->present >> i & 1;
}

// Number of blocks below a node; those of the highest levels exceed 32 bits.
static inline uint64_t blocks_below(uint32_t level) {
  return level < 2 ? 1 : 1ull << 5 * (level - 1);
}

static inline uint32_t index_at(uint32_t level, uint32_t block, uint32_t slot) {
  if (level == 0)
    return slot & 31;
  return level == 1 ? slot >> 5 : block >> 5 * (level - 2) & 31;
}

// --- versions

enum { STEP_BITS = 24 };

static inline uint64_t lineage_of(uint64_t version) {
  return version >> STEP_BITS;
}

static inline bool is_later(uint64_t version, uint64_t other) {
  return version >= other && lineage_of(version) == lineage_of(other);
}

static inline Lineage *lineage_at(const ClockNode *node) {
  return (Lineage *)(uintptr_t)&node->child.lineage;
}

// Is it known from versions that the first has all of the second? Both are of one level above 1.
static inline bool is_included(const ClockNode *node, const ClockNode *other) {
  uint64_t version = node->child.lineage.version;
  const Lineage *lineage = &other->child.lineage;
  return is_later(version, lineage->version) ||
         is_later(version, atomic_load_explicit(&lineage->included[0], memory_order_relaxed)) ||
         is_later(version, atomic_load_explicit(&lineage->included[1], memory_order_relaxed));
}

static inline void note_included(const ClockNode *node, const ClockNode *other) {
  uint64_t version = node->child.lineage.version;
  Lineage *lineage = lineage_at(other);
  if (is_included(node, other))
    return;
  uint64_t first = atomic_load_explicit(&lineage->included[0], memory_order_relaxed);
  if (lineage_of(first) != lineage_of(version))
    atomic_store_explicit(&lineage->included[1], first, memory_order_relaxed);
  atomic_store_explicit(&lineage->included[0], version, memory_order_relaxed);
}

// The version after that of the node, if no other has it yet; 0: it has.
uint64_t clock_next_version(const ClockNode *node);
void clock_start_lineage(Heap *heap, ClockNode *node);

// --- making nodes (clock.c)

// A node under construction: all 32 children, absent ones NULL or 0.
typedef struct Draft {
  uint32_t level, base;
  ClockNode *nodes[CLOCK_FANOUT];
  uint32_t times[CLOCK_FANOUT];
} Draft;

// What is known of everything below.
uint32_t clock_least_below(const Draft *draft);
// Takes over the references of the draft's children; those that tell nothing new are dropped.
ClockNode *clock_finish(Heap *heap, Draft *draft);
// The children, of which all are there, may have become equal: the node or another one.
ClockNode *clock_settle(Heap *heap, ClockNode *node);
ClockNode *clock_make_plain(Heap *heap, uint32_t level, uint32_t base);

#endif
