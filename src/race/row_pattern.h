// Rows of words that are read by several threads at several places: patterns (pattern.h). Internal
// to race.
#ifndef WARPSAN_RACE_ROW_PATTERN_H
#define WARPSAN_RACE_ROW_PATTERN_H

#include "race/row_word.h"

// Adds the segment's reads of `count` words from number `i` on to what others have read: the same
// pattern, moved as the lanes are, and the last writes are known. Returns of how many. 0: it has to
// be looked at more closely.
uint32_t row_join_pattern(const Row *row, Cells *cells, uint32_t word, Segment s, uint32_t i,
                          uint32_t count);
// Forgets the readers of a pattern if a write by the lane is ordered behind all of them and behind
// the last write; false: it is not, or the word has no pattern.
bool row_forget_pattern(const Row *row, Cells *cells, uint32_t word, uint32_t lane);

#endif
