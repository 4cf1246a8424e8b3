// A row of shadow words that lanes of a warp access together, compared and remembered in one loop.
// Internal to race.
#ifndef WARPSAN_RACE_ROW_H
#define WARPSAN_RACE_ROW_H

#include "race/segments.h"
#include "race/state.h"

// What decides about a row: the accessors are lanes of one group.
typedef struct Row {
  uint32_t block_first, warp_first; // numbers of the first threads of block and warp
  uint32_t uniform, warp_known;
  // Of a word whose accesses are no newer all are known: shared memory that only its block has
  // accessed is covered by its barriers; of other words, only that nobody has touched them.
  uint32_t covered;
  uint32_t limit; // threads below have ended for good
  uint32_t now, info, grid;
  uint32_t warp_bit;
  Race *race;
  Block *defers; // whose reads may be deferred (deferred.h); NULL: they are not
  Heap *heap;
  ReaderSets *readers; // NULL: shared memory
  Patterns *patterns;
  const ClockNode *clock; // what the group knows of threads
  bool is_strict;         // another proxy: only what has ended counts
  bool has_avx2;
} Row;

// `owner`: of shared memory, NULL: global memory.
Row row_make(Race *race, Block *block, const Warp *warp, uint32_t warp_number, const Group *group,
             uint32_t info, const EmuBlock *owner);
// Checks and remembers; returns the lanes from `first` on, as a mask of which bit 0 is the first,
// some word of which needs a closer look and which have to be done again.
uint32_t row_read(const Row *row, Cells *cells, uint32_t word, Segment segment);
uint32_t row_write(const Row *row, Cells *cells, uint32_t word, Segment segment);
bool row_has_avx2(void);

#endif
