// One word of a row, against what is remembered of it. Internal to race.
#ifndef WARPSAN_RACE_ROW_WORD_H
#define WARPSAN_RACE_ROW_WORD_H

#include "race/row.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#else
#define WITH_AVX2
#endif

// The cells from a word on.
ALWAYS_INLINE Cells cells_at(const Cells *cells, size_t word) {
  return (Cells){cells->write_time + word, cells->write_thread + word, cells->write_info + word,
                 cells->read_time + word,  cells->read_thread + word,  cells->read_warps + word,
                 cells->read_lanes + word, cells->read_info + word,    cells->page};
}

// Without branches: loops over it become vector code. A word with a list has the largest time.
ALWAYS_INLINE bool is_write_known(const Row *row, uint32_t time, uint32_t thread, uint32_t own) {
  bool is_in_block = ((thread ^ row->block_first) >> SLOT_BITS == 0) & (time <= row->uniform);
  bool is_in_warp = ((thread ^ row->warp_first) >> 5 == 0) & (time <= row->warp_known);
  bool is_ordered = (thread == own) | is_in_block | is_in_warp;
  return (time == 0) |
         ((time != UINT32_MAX) & ((thread < row->limit) | (!row->is_strict & is_ordered)));
}

ALWAYS_INLINE bool are_reads_known(const Row *row, uint32_t time, uint32_t thread, uint32_t warps,
                                   uint32_t lanes, uint32_t info, uint32_t own) {
  bool is_own_warp = warps == row->warp_bit;
  bool is_known = (time <= row->uniform) | (is_own_warp & (time <= row->warp_known)) |
                  (is_own_warp & (lanes == own));
  bool is_in_block = ((thread ^ row->block_first) >> SLOT_BITS == 0) & is_known;
  return (time == 0) |
         ((time != UINT32_MAX) & !(info >> INFO_FORM) & ((thread < row->limit) | is_in_block));
}

ALWAYS_INLINE bool is_word_known(const Row *row, const Cells *cells, uint32_t word, uint32_t own,
                                 uint32_t lanes) {
  bool is_write = is_write_known(row, cells->write_time[word], cells->write_thread[word], own);
  bool are_reads = are_reads_known(row, cells->read_time[word], cells->read_thread[word],
                                   cells->read_warps[word], cells->read_lanes[word],
                                   cells->read_info[word], lanes);
  return is_write & are_reads;
}

// Of reads of several lanes none is the thread of an earlier write.
ALWAYS_INLINE uint32_t own_thread(const Row *row, uint32_t lane, uint32_t repeat) {
  return repeat == 1 ? row->warp_first + lane : UINT32_MAX;
}

ALWAYS_INLINE void set_reads(const Row *row, Cells *cells, uint32_t word, uint32_t lanes) {
  cells->read_time[word] = row->now;
  cells->read_thread[word] = row->block_first;
  cells->read_warps[word] = row->warp_bit;
  cells->read_lanes[word] = lanes;
  cells->read_info[word] = row->info;
}

ALWAYS_INLINE void set_write(const Row *row, Cells *cells, uint32_t word, uint32_t lane) {
  cells->write_time[word] = row->now;
  cells->write_thread[word] = row->warp_first + lane;
  cells->write_info[word] = row->info;
  cells->read_time[word] = 0;
  cells->read_info[word] = 0;
}

// Others of the block have read the word at this time and place.
static inline bool join_reads(const Row *row, Cells *cells, uint32_t word, uint32_t lanes) {
  uint32_t *all_warps = &cells->read_warps[word], *all_lanes = &cells->read_lanes[word];
  if ((*all_warps & row->warp_bit) && !(lanes & ~*all_lanes))
    return true;
  if (*all_lanes == lanes)
    *all_warps |= row->warp_bit;
  else if (*all_warps == row->warp_bit)
    *all_lanes |= lanes;
  else
    return false;
  return true;
}

ALWAYS_INLINE void fill(uint32_t *items, uint32_t count, uint32_t value) {
  for (uint32_t i = 0; i < count; i++)
    items[i] = value;
}

#endif
