// The last writes to places, for runs in which loads may return older ones: a table of a fixed size
// in which a place that is used no more gives way to another one. Internal to race.
#ifndef WARPSAN_RACE_HISTORY_H
#define WARPSAN_RACE_HISTORY_H

#include "race/state.h"

enum { PAST_WRITES = 6, PAST_READS = 8 };

#define NO_THREAD UINT32_MAX

typedef struct PastWrite {
  uint64_t value;
  uint32_t thread; // NO_THREAD: what the place held before its writes were followed
  uint32_t time, info;
  uint64_t moment;           // of the run; elements of a vector are written at one
  Scope scope;               // of `records`
  struct RecordSet *records; // what it released: a reference
} PastWrite;

// Lanes of a warp that have read the write at a position at a time.
typedef struct PastRead {
  uint32_t block, warp, lanes;
  uint32_t time, position;
} PastRead;

// One place. Writes are numbered in the order in which they were made; the newest has position
// `newest`, and is the last of `writes`.
typedef struct Past {
  uint64_t granule; // which aligned eight bytes
  uint64_t used;    // larger: later
  uint32_t bytes;   // of the granule, a mask; 0: this is no place
  uint32_t newest;
  uint32_t floor;  // nobody may read what was written before this position
  uint32_t misses; // reads that did not see the newest write
  uint32_t write_count, read_count;
  PastWrite writes[PAST_WRITES];
  PastRead reads[PAST_READS];
} Past;

typedef struct History {
  Past **sets; // of places; NULL: none has been used yet
  uint64_t now;
} History;

void history_init(History *history, Arena *arena);

// The place of 1, 2, 4 or 8 bytes, which lie in one granule; NULL: it has no history.
Past *history_find(History *history, uint64_t granule, uint32_t bytes);
// Makes it have one, of no writes yet. Places that share some of its bytes lose theirs.
Past *history_get(Heap *heap, History *history, uint64_t granule, uint32_t bytes);
// Places that have some of these bytes lose their histories.
void history_drop(Heap *heap, History *history, uint64_t granule, uint32_t bytes);
// Takes over the write's reference.
void history_add_write(Heap *heap, Past *past, const PastWrite *write);
void history_add_read(Past *past, const PastRead *read);

static inline uint32_t past_oldest(const Past *past) {
  return past->newest + 1 - past->write_count;
}

static inline const PastWrite *past_write(const Past *past, uint32_t position) {
  return &past->writes[position - past_oldest(past)];
}

#endif
