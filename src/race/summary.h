// Accesses of a row of 32 words of global memory that are remembered together, as those of threads
// of a range of blocks, up to a time: plain reads, or relaxed accesses that are atomic toward each
// other. Most data that many threads read is not written before the launch ends, and most counters
// are not read, so that nobody asks who it was. A later access that conflicts and is ordered behind
// all of these threads needs no closer answer; behind another one the run is undecided, and has to
// be made again with accesses to that object remembered one by one (RaceExact).
//
// A summary is open as long as nothing else was done to the row that its members could race with,
// but by launches that are over for them. Other accesses are held against it and close it; what it
// has stays, beside what is remembered of the words, for those that follow.
// Internal to race.
#ifndef WARPSAN_RACE_SUMMARY_H
#define WARPSAN_RACE_SUMMARY_H

#include "race/page_row.h"
#include "race/update.h"

// Strong reads in the scope of the device, polls most of them, race with no atomic: they are among
// the atomics of their row whatever else those do that are remembered word by word. What they
// acquire is no matter of summaries (strong.c).
typedef enum SummaryKind { SUMMARY_READS, SUMMARY_ATOMICS, SUMMARY_POLLS } SummaryKind;

// Are accesses of global memory summed up?
static inline bool summary_is_used(const Race *race) {
  return race->options.exact != NULL;
}

// Of lanes of one group, whose accesses are of the kind: those that are no members, and cannot
// become ones. Plain reads of whole rows, lane after lane, are left to page rows.
uint32_t summary_add_lanes(const Batch *batch, const Row *row, uint32_t lanes, SummaryKind kind);
// The same for plain reads of words of a page, whose lock the caller has. False: some are to be
// remembered one by one.
bool summary_add_words(Race *race, const Row *row, Page *page, uint64_t address, uint32_t words);

// Holds an access that is remembered otherwise against the summaries of its words, and closes them;
// false: the run is undecided. The caller has the page's lock, and keeps it until the access is
// remembered.
bool summary_close(Race *race, const Row *row, Page *page, uint64_t address, uint32_t words,
                   bool is_write);
// The same for each lane of a strong access: nothing else runs.
bool summary_close_lanes(const Batch *batch, uint32_t lanes);
// The lanes of a strong access that are remembered otherwise. Those of reads that are not have yet
// to acquire.
uint32_t summary_add_strong(const Batch *batch);

#endif
