#include "race/row_scatter.h"

#include "base/bits.h"
#include "race/deferred.h"
#include "race/row_word.h"

// --- which words

// Lanes that are not found have the word 0.
ALWAYS_INLINE uint32_t find_words(const uint64_t *addresses, uint32_t lanes, uint64_t page_address,
                                  uint64_t last, uint32_t size, int32_t *words) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < WARP_LANES; i++) {
    uint64_t offset = addresses[i] - page_address;
    bool is_there = (offset <= last) & ((offset & (size - 1)) == 0) & (lanes >> i & 1);
    words[i] = is_there ? (int32_t)(offset >> 2) : 0;
    found |= (uint32_t)is_there << i;
  }
  return found;
}

WITH_AVX2 static uint32_t find_words_by_avx2(const uint64_t *addresses, uint32_t lanes,
                                             uint64_t page_address, uint64_t last, uint32_t size,
                                             int32_t *words) {
  return find_words(addresses, lanes, page_address, last, size, words);
}

uint32_t scatter_find(const Row *row, const Page *page, uint64_t page_address,
                      const uint64_t *addresses, uint32_t lanes, uint32_t size, int32_t *words) {
  uint64_t last = (uint64_t)page->words * WORD_BYTES - size;
  if (row->has_avx2)
    return find_words_by_avx2(addresses, lanes, page_address, last, size, words);
  return find_words(addresses, lanes, page_address, last, size, words);
}

// --- what is known

// Of words whose accesses barriers cover, or that nobody has touched, all is known.
ALWAYS_INLINE uint32_t covered_lanes(const Row *row, const Cells *cells, const int32_t *words) {
  const uint32_t *write_time = cells->write_time, *read_time = cells->read_time;
  uint32_t covered = row->covered, found = 0;
  for (uint32_t i = 0; i < WARP_LANES; i++) {
    int32_t word = words[i];
    found |= (uint32_t)((write_time[word] <= covered) & (read_time[word] <= covered)) << i;
  }
  return found;
}

ALWAYS_INLINE void gather(const uint32_t *from, const int32_t *words, uint32_t *to) {
  for (uint32_t i = 0; i < WARP_LANES; i++)
    to[i] = from[words[i]];
}

// Lanes that know all that is remembered of their words.
ALWAYS_INLINE uint32_t knowing_lanes(const Row *row, const Cells *cells, const int32_t *words) {
  uint32_t items[7][WARP_LANES], found = 0;
  Cells at = {.write_time = items[0],
              .write_thread = items[1],
              .read_time = items[2],
              .read_thread = items[3],
              .read_warps = items[4],
              .read_lanes = items[5],
              .read_info = items[6]};
  Row by = *row;
  gather(cells->write_time, words, at.write_time);
  gather(cells->write_thread, words, at.write_thread);
  gather(cells->read_time, words, at.read_time);
  gather(cells->read_thread, words, at.read_thread);
  gather(cells->read_warps, words, at.read_warps);
  gather(cells->read_lanes, words, at.read_lanes);
  gather(cells->read_info, words, at.read_info);
  for (uint32_t i = 0; i < WARP_LANES; i++)
    found |= (uint32_t)is_word_known(&by, &at, i, by.warp_first + i, 1u << i) << i;
  return found;
}

// Lanes whose words, the i-th ones, have deferred reads.
static uint32_t marked_lanes(const Cells *cells, const int32_t *words, uint32_t lanes, uint32_t i) {
  uint32_t marked = 0;
  for (uint32_t some = lanes; some; some &= some - 1)
    if (deferred_has(cells->page, (uint32_t)words[bits_first(some)] + i))
      marked |= some & -some;
  return marked;
}

// Those before the first one that does not know all: what that does may matter for those behind it.
ALWAYS_INLINE uint32_t knowing_first(const Row *row, const Cells *cells, const int32_t *words,
                                     uint32_t lanes, uint32_t i) {
  uint32_t known = lanes & covered_lanes(row, cells, words);
  if (known == lanes)
    return known;
  known |= lanes & knowing_lanes(row, cells, words);
  if (cells->page->marks)
    known &= ~marked_lanes(cells, words, known, i);
  uint32_t unknown = lanes & ~known;
  return unknown ? lanes & ((unknown & -unknown) - 1) : lanes;
}

// --- reading

// Lanes that have read one word do so together.
static void join_twins(const Cells *cells, const int32_t *words, uint32_t lanes) {
  const int32_t *word = words;
  for (uint32_t some = lanes; some; some &= some - 1)
    cells->read_lanes[word[bits_first(some)]] |= some & -some;
}

ALWAYS_INLINE void set_all_reads(const Row *row, const Cells *cells, const int32_t *words,
                                 uint32_t lanes) {
  Row by = *row;
  Cells at = *cells;
  uint32_t lost = 0;
  if (lanes == UINT32_MAX)
    for (uint32_t i = 0; i < WARP_LANES; i++)
      set_reads(&by, &at, (uint32_t)words[i], 1u << i);
  else
    for (uint32_t some = lanes; some; some &= some - 1)
      set_reads(&by, &at, (uint32_t)words[bits_first(some)], some & -some);
  for (uint32_t i = 0; i < WARP_LANES; i++)
    lost |= (at.read_lanes[words[i]] ^ 1u << i) & -(lanes >> i & 1);
  if (lost)
    join_twins(cells, words, lanes);
}

// One word of each lane; returns lanes that are left.
ALWAYS_INLINE uint32_t read_words(const Row *row, const Cells *cells, const int32_t *words,
                                  uint32_t lanes, uint32_t i) {
  uint32_t done = knowing_first(row, cells, words, lanes, i);
  set_all_reads(row, cells, words, done);
  return lanes & ~done;
}

WITH_AVX2 static uint32_t read_by_avx2(const Row *row, const Cells *cells, const int32_t *words,
                                       uint32_t lanes, uint32_t i) {
  return read_words(row, cells, words, lanes, i);
}

static uint32_t read_plainly(const Row *row, const Cells *cells, const int32_t *words,
                             uint32_t lanes, uint32_t i) {
  return read_words(row, cells, words, lanes, i);
}

uint32_t scatter_read(const Row *row, Cells *cells, const int32_t *words, uint32_t lanes,
                      uint32_t shift) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < 1u << shift; i++) {
    Cells at = cells_at(cells, i);
    left |= row->has_avx2 ? read_by_avx2(row, &at, words, lanes, i)
                          : read_plainly(row, &at, words, lanes, i);
  }
  for (uint32_t some = left; some; some &= some - 1) {
    uint32_t taken = deferred_take_lanes(row, cells, words, some, shift);
    left &= ~taken;
    some &= ~taken;
    if (!some)
      break;
    Segment s = {bits_first(some), 1, shift, 1};
    if (!row_read(row, cells, (uint32_t)words[s.first], s))
      left &= ~(some & -some);
  }
  return left;
}

// --- writing

ALWAYS_INLINE uint32_t writer_at(const Row *row, const Cells *cells, int32_t word) {
  return cells->write_thread[word] - row->warp_first;
}

// Of lanes that write one word the first has done so; returns the others.
static uint32_t part_twins(const Row *row, Cells *cells, const int32_t *words, uint32_t lanes) {
  uint32_t others = 0;
  for (uint32_t some = lanes; some; some &= some - 1) {
    uint32_t lane = bits_first(some);
    if (writer_at(row, cells, words[lane]) > lane)
      set_write(row, cells, (uint32_t)words[lane], lane);
  }
  for (uint32_t some = lanes; some; some &= some - 1)
    if (writer_at(row, cells, words[bits_first(some)]) != bits_first(some))
      others |= some & -some;
  return others;
}

ALWAYS_INLINE uint32_t set_all_writes(const Row *row, const Cells *cells, const int32_t *words,
                                      uint32_t lanes) {
  Row by = *row;
  Cells at = *cells;
  uint32_t lost = 0;
  if (lanes == UINT32_MAX)
    for (uint32_t i = 0; i < WARP_LANES; i++)
      set_write(&by, &at, (uint32_t)words[i], i);
  else
    for (uint32_t some = lanes; some; some &= some - 1)
      set_write(&by, &at, (uint32_t)words[bits_first(some)], bits_first(some));
  for (uint32_t i = 0; i < WARP_LANES; i++)
    lost |= (writer_at(&by, &at, words[i]) ^ i) & -(lanes >> i & 1);
  return lost ? part_twins(row, &at, words, lanes) : 0;
}

ALWAYS_INLINE uint32_t write_words(const Row *row, const Cells *cells, const int32_t *words,
                                   uint32_t lanes, uint32_t i) {
  uint32_t done = knowing_first(row, cells, words, lanes, i);
  return (lanes & ~done) | set_all_writes(row, cells, words, done);
}

WITH_AVX2 static uint32_t write_by_avx2(const Row *row, const Cells *cells, const int32_t *words,
                                        uint32_t lanes, uint32_t i) {
  return write_words(row, cells, words, lanes, i);
}

static uint32_t write_plainly(const Row *row, const Cells *cells, const int32_t *words,
                              uint32_t lanes, uint32_t i) {
  return write_words(row, cells, words, lanes, i);
}

uint32_t scatter_write(const Row *row, Cells *cells, const int32_t *words, uint32_t lanes,
                       uint32_t shift) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < 1u << shift; i++) {
    Cells at = cells_at(cells, i);
    left |= row->has_avx2 ? write_by_avx2(row, &at, words, lanes, i)
                          : write_plainly(row, &at, words, lanes, i);
  }
  for (uint32_t some = left; some; some &= some - 1) {
    Segment s = {bits_first(some), 1, shift, 1};
    if (!row_write(row, cells, (uint32_t)words[s.first], s))
      left &= ~(some & -some);
  }
  return left;
}
