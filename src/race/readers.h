// Sets of blocks of which the same thread has read a word, at one time and by one instruction.
// Words of a row, and of many rows, are read by the same blocks in the same order, so that sets are
// made once and shared: a word holds the address of one. Sets last as long as the detector.
// Internal to race.
#ifndef WARPSAN_RACE_READERS_H
#define WARPSAN_RACE_READERS_H

#include "race/heap.h"

enum { MOST_READERS = 1024, READER_BUCKETS = 1 << 12 };

typedef struct ReaderSet {
  const struct ReaderSet *before; // without `block`; NULL: it is the only one
  uint32_t block, count;
  uint32_t largest; // number of a block
} ReaderSet;

// What adding a block to a set gives.
typedef struct ReaderStep {
  const ReaderSet *from, *to;
  uint32_t block;
  struct ReaderStep *next; // of the bucket
} ReaderStep;

typedef struct ReaderSets {
  atomic_flag lock;
  ReaderStep *buckets[READER_BUCKETS];
} ReaderSets;

// The set with the block, which may be a member. `set` NULL has none. NULL: there would be too
// many.
const ReaderSet *readers_add(ReaderSets *sets, Heap *heap, const ReaderSet *set, uint32_t block);
// The blocks in ascending order: room for MOST_READERS.
uint32_t readers_list(const ReaderSet *set, uint32_t *blocks);

#endif
