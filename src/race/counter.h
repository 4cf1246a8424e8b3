// Counters: words that only atomics of one instruction have written at one time, of which there are
// many in histograms. Such a word takes no list (WordList), but is told apart by a write that is
// strong:
// - in shared memory, by threads of the block: a set of them in the page's `counters`. While no
//   barrier has covered them both times of the word are the largest, `read_warps` is their time and
//   `read_info` is COUNTER_IN_BLOCK. Once one has, the word has their time as that of its write, of
//   the block's first thread, and reads in the common form.
// - in global memory, by the same thread of several blocks (readers.h): both times are the largest,
//   the thread numbers are the address of the set, `read_warps` is the time, `read_lanes` the
//   thread less its block and `read_info` is COUNTER_OF_BLOCKS.
// What was before is forgotten, as it is ordered before each access that can still come: only
// blocks that no other can visit count in their shared memory. Internal to race.
#ifndef WARPSAN_RACE_COUNTER_H
#define WARPSAN_RACE_COUNTER_H

#include "race/update.h"

enum { COUNTER_OF_BLOCKS, COUNTER_IN_BLOCK };

// Relaxed atomics of 32-bit words that have written: remembers those whose words are counters, or
// become such, and returns the other lanes. `row` is made for the group of the lanes.
uint32_t counter_add(const Batch *batch, const Row *row, uint32_t lanes);
// What barriers have covered, or what is of ended grids, gets the form that rows can compare.
// False: no word of the row has changed.
bool counter_settle(const Row *row, Cells *cells, uint32_t word, uint32_t words);
// Makes the counter have a list.
WordList *counter_make_list(Heap *heap, Cells *cells, uint32_t word);
void counter_release(Heap *heap, Page *page);

#endif
