#include "race/page_row.h"

#include "base/bits.h"

// A row and who accesses it now: lanes of one warp, of which `thread` is the first.
typedef struct Visit {
  const Row *by;
  PageRow *row;
  uint32_t thread, shift;
} Visit;

static uint32_t lane_of(uint32_t thread) {
  return thread & 31;
}

static bool is_in_block(const Row *by, uint32_t thread) {
  return (thread ^ by->block_first) >> SLOT_BITS == 0;
}

// The lanes that access a row, of which `thread` is the first.
static uint32_t lanes_of(uint32_t thread, uint32_t shift) {
  return UINT32_MAX >> (WARP_LANES - (ROW_WORDS >> shift)) << lane_of(thread);
}

// Has the warp learnt of the lanes, most often of another block?
static bool is_learnt(const Row *by, uint32_t block, uint32_t warp, uint32_t lanes, uint32_t time) {
  return by->clock && clock_least(by->clock, block, warp, lanes) >= time;
}

static bool is_write_known(const Visit *visit) {
  const Row *by = visit->by;
  uint32_t time = visit->row->write_time, thread = visit->row->write_thread;
  // Grids have ended with all of their blocks.
  if (!time || thread < by->limit)
    return true;
  if (by->is_strict)
    return false;
  bool is_own = thread == visit->thread && visit->row->write_shift == visit->shift;
  bool is_in_warp = (thread ^ by->warp_first) >> 5 == 0;
  return is_own || (is_in_block(by, thread) && time <= by->uniform) ||
         (is_in_warp && time <= by->warp_known) ||
         is_learnt(by, thread >> SLOT_BITS, thread >> 5 & 31,
                   lanes_of(thread, visit->row->write_shift), time);
}

// Do the same lanes of the block read, of whatever warp?
static bool is_alike(const Visit *visit) {
  return is_in_block(visit->by, visit->row->read_thread) &&
         lane_of(visit->row->read_thread) == lane_of(visit->thread) &&
         visit->row->read_shift == visit->shift;
}

static bool are_reads_learnt(const Row *by, const PageRow *row) {
  uint32_t lanes = lanes_of(row->read_thread, row->read_shift);
  for (uint32_t warps = row->read_warps; warps; warps &= warps - 1)
    if (!is_learnt(by, row->read_thread >> SLOT_BITS, bits_first(warps), lanes, row->read_time))
      return false;
  return true;
}

static bool are_reads_known(const Visit *visit) {
  const Row *by = visit->by;
  uint32_t time = visit->row->read_time, thread = visit->row->read_thread;
  if (!time || thread < by->limit)
    return true;
  if (by->is_strict)
    return false;
  bool is_own_warp = is_in_block(by, thread) && visit->row->read_warps == by->warp_bit;
  return (is_in_block(by, thread) && time <= by->uniform) ||
         (is_own_warp && (time <= by->warp_known || is_alike(visit))) ||
         are_reads_learnt(by, visit->row);
}

static bool read_row(const Visit *visit) {
  const Row *by = visit->by;
  PageRow *row = visit->row;
  if (!is_write_known(visit))
    return false;
  if (are_reads_known(visit)) {
    row->read_time = by->now;
    row->read_thread = by->block_first | lane_of(visit->thread);
    row->read_warps = by->warp_bit;
    row->read_info = by->info;
    row->read_shift = (uint8_t)visit->shift;
    return true;
  }
  if (row->read_time != by->now || row->read_info != by->info || !is_alike(visit))
    return false;
  row->read_warps |= by->warp_bit;
  return true;
}

static bool write_row(const Visit *visit) {
  const Row *by = visit->by;
  if (!is_write_known(visit) || !are_reads_known(visit))
    return false;
  *visit->row = (PageRow){.write_time = by->now,
                          .write_thread = visit->thread,
                          .write_info = by->info,
                          .write_shift = (uint8_t)visit->shift};
  return true;
}

bool page_row_access(const Row *row, Page *page, uint32_t word, Segment s, bool is_read) {
  uint32_t count = (s.count << s.shift) / ROW_WORDS;
  for (uint32_t i = 0; i < count; i++) {
    Visit visit = {.by = row,
                   .row = &page->in_rows->rows[word / ROW_WORDS + i],
                   .thread = row->warp_first + s.first + (i * ROW_WORDS >> s.shift),
                   .shift = s.shift};
    // What rows before it remember by now, the whole access may do again.
    if (!(is_read ? read_row(&visit) : write_row(&visit)))
      return false;
  }
  return true;
}

static void expand_write(const PageRow *from, Cells *cells, uint32_t first) {
  for (uint32_t i = 0; i < ROW_WORDS; i++) {
    cells->write_time[first + i] = from->write_time;
    cells->write_thread[first + i] = from->write_thread + (i >> from->write_shift);
    cells->write_info[first + i] = from->write_info;
  }
}

static void expand_reads(const PageRow *from, Cells *cells, uint32_t first) {
  uint32_t lane = lane_of(from->read_thread);
  for (uint32_t i = 0; i < ROW_WORDS; i++) {
    cells->read_time[first + i] = from->read_time;
    cells->read_thread[first + i] = from->read_thread - lane;
    cells->read_warps[first + i] = from->read_warps;
    cells->read_lanes[first + i] = 1u << (lane + (i >> from->read_shift));
    cells->read_info[first + i] = from->read_info;
  }
}

void page_row_expand(const PageRow *from, Cells *cells, uint32_t first) {
  if (from->write_time)
    expand_write(from, cells, first);
  if (from->read_time)
    expand_reads(from, cells, first);
}
