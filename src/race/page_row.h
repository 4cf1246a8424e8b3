// Rows of 32 words of global memory that whole warps access lane after lane, as most arrays are:
// word i by the thread that is i >> shift behind the first. A page remembers one write and the
// reads of each row instead of those of each word, until some access is of another kind: then it
// gets cells, for good. Internal to race.
#ifndef WARPSAN_RACE_PAGE_ROW_H
#define WARPSAN_RACE_PAGE_ROW_H

#include "race/row.h"

// Can the segment, whose first word is `word`, be accessed in rows?
static inline bool page_row_fits(uint32_t word, Segment s) {
  uint32_t words = s.count << s.shift;
  return (word | words) % ROW_WORDS == 0 && s.repeat == 1 && word + words <= PAGE_WORDS;
}

// Checks and remembers reads or writes; false: the page needs cells. The caller has its lock.
bool page_row_access(const Row *row, Page *page, uint32_t word, Segment s, bool is_read);
// What the row remembers, by words from `first` on.
void page_row_expand(const PageRow *from, Cells *cells, uint32_t first);

#endif
