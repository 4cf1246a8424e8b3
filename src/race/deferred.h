// Reads of the shared memory of a block that are not told apart yet. What several warps read at
// shifted places between two barriers of the block - halos, stencils, tables - is mostly covered by
// the next barrier before anybody asks who it was. Reads that no other form takes are therefore
// only noted, one after the other, and their words marked. Whatever else comes to such a word
// before the barrier has all of them remembered first, as they would have been at once; the barrier
// drops them.
//
// Only in blocks whose shared memory is accessed by nobody but their own threads, through the
// generic proxy: for others it matters who read before the barrier. Internal to race.
#ifndef WARPSAN_RACE_DEFERRED_H
#define WARPSAN_RACE_DEFERRED_H

#include "race/row.h"

typedef struct DeferredReads {
  uint32_t *items; // entries, one after the other
  uint32_t count, capacity;
  ClockNode *clock; // what the readers knew of threads: all of them the same
} DeferredReads;

typedef struct DeferredWord {
  uint32_t word, lanes;
} DeferredWord;

enum { DEFERRED_WORDS = 128 }; // of a warp's access, at most

static inline bool deferred_has(const Page *page, uint32_t word) {
  return page->marks && (page->marks[word / 32] >> word % 32 & 1);
}

// Those of `count` words, up to 32, that are marked.
static inline uint32_t deferred_among(const Page *page, uint32_t word, uint32_t count) {
  if (!page->marks)
    return 0;
  uint64_t marks = page->marks[word / 32];
  if (word % 32 + count > 32)
    marks |= (uint64_t)page->marks[word / 32 + 1] << 32;
  return (uint32_t)(marks >> word % 32) & UINT32_MAX >> (32 - count);
}

static inline bool deferred_any(const Page *page, uint32_t word, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; page->marks && i < count; i += 32)
    found |= deferred_among(page, word + i, count - i < 32 ? count - i : 32);
  return found;
}

// May the accessors' reads be deferred now?
static inline bool deferred_is_open(const Row *row) {
  const Block *block = row->defers;
  if (!block || !block->defers)
    return false;
  return !block->deferred || !block->deferred->count || block->deferred->clock == row->clock;
}

// Makes room for reads of a warp in the page; false: there are too many already.
bool deferred_reserve(const Row *row, Page *page);
static inline void deferred_mark(Page *page, uint32_t word) {
  page->marks[word / 32] |= 1u << word % 32;
}
// Notes reads of the words of a page, for which there is room. The lanes of words of `mask`, which
// it marks, follow one another from that of `segment` on; those of `words` are marked already.
void deferred_add_row(const Row *row, Page *page, uint32_t word, Segment segment, uint32_t mask);
void deferred_add_words(const Row *row, Page *page, const DeferredWord *words, uint32_t count);

// Takes a row of reads, or those of the lanes that come before one of which it cannot; returns
// whether it has, or these lanes. Nothing has been written there since the last barrier.
bool deferred_take(const Row *row, Cells *cells, uint32_t word, Segment segment);
uint32_t deferred_take_lanes(const Row *row, Cells *cells, const int32_t *words, uint32_t lanes,
                             uint32_t shift);

// Remembers all that is deferred; until the next barrier nothing more is.
void deferred_settle(Race *race, Block *block);
// The same if some of the words has such reads.
void deferred_settle_words(const Row *row, const Page *page, uint32_t word, uint32_t count);
// All live threads of the block meet at a barrier.
void deferred_drop(Race *race, Block *block);
void deferred_release(Heap *heap, Block *block);

#endif
