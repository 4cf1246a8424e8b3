// Lanes of a warp that access words in no order, compared and remembered in loops over the lanes.
// Internal to race.
#ifndef WARPSAN_RACE_ROW_SCATTER_H
#define WARPSAN_RACE_ROW_SCATTER_H

#include "race/row.h"

// Lanes of the mask whose whole words lie in the page at `page_address`, and the first words of
// these: `words` has room for a warp.
uint32_t scatter_find(const Row *row, const Page *page, uint64_t page_address,
                      const uint64_t *addresses, uint32_t lanes, uint32_t size, int32_t *words);
// Checks and remembers, as if one lane came after the other; each has 1 << shift words. Returns
// lanes some word of which needs a closer look.
uint32_t scatter_read(const Row *row, Cells *cells, const int32_t *words, uint32_t lanes,
                      uint32_t shift);
uint32_t scatter_write(const Row *row, Cells *cells, const int32_t *words, uint32_t lanes,
                       uint32_t shift);

#endif
