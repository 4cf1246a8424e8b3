// Reads of a row of 32 words of global memory that are remembered together: by threads of a range
// of blocks, up to a time. Most data that many threads read is not written before the launch ends,
// so that nobody asks who has read what. A later write that is ordered behind all of these threads
// needs no closer answer; behind another one the run is undecided, and has to be made again with
// reads of that object remembered one by one. Internal to race.
//
// A summary is open as long as no write to its row, by whatever thread, is newer than the launches
// that are over for its readers: then reads have nothing to be held against. Writes close it; what
// it has stays, beside what is remembered of the words, for later writes.
#ifndef WARPSAN_RACE_SUMMARY_H
#define WARPSAN_RACE_SUMMARY_H

#include "race/page_row.h"
#include "race/update.h"

// Are reads of global memory summed up?
static inline bool summary_is_used(const Race *race) {
  return race->options.exact != NULL;
}

// The lanes of a plain read of global memory that open summaries do not have already.
uint32_t summary_find_others(const Batch *batch, const Row *row, uint32_t lanes);
// Takes in the lanes whose rows have, or can be given, open summaries; returns the others. Lanes
// that access a whole row, one after the other, are not looked at: page rows are for them.
uint32_t summary_add_lanes(const Batch *batch, const Row *row, uint32_t lanes);
// The same for words of a page, whose lock the caller has. False: some are to be remembered one by
// one.
bool summary_add_words(Race *race, const Row *row, Page *page, uint64_t address, uint32_t words);
// Closes the summaries of the words that are written; false: the run is undecided. The caller has
// the page's lock, and keeps it until the write is remembered.
bool summary_close(Race *race, const Row *row, Page *page, uint64_t address, uint32_t words);
// The same for each lane of a strong access that writes: nothing else runs.
bool summary_close_lanes(const Batch *batch, uint32_t lanes);

#endif
