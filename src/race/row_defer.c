// Which reads are deferred: those of words that other threads have read, or the same ones by
// another instruction, since the last barrier. What the common form has room for is remembered at
// once.
#include "race/deferred.h"
#include "race/row_word.h"

#include "base/bits.h"

// Of up to 32 words, as masks.
typedef struct Standing {
  uint32_t written; // not 0: some have been since the barrier
  uint32_t known;   // no reads but known ones
  uint32_t joined;  // the same lanes of other warps have just read them
} Standing;

ALWAYS_INLINE Standing find_standing(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  Cells at = cells_at(cells, word);
  Standing found = {0};
  Row by = *row;
  for (uint32_t i = 0; i < s.count; i++) {
    uint32_t lanes = s.repeat << (s.first + i);
    uint32_t other = (at.read_time[i] ^ by.now) | (at.read_info[i] ^ by.info) |
                     (at.read_thread[i] ^ by.block_first) | (at.read_lanes[i] ^ lanes);
    found.written |= (uint32_t)(at.write_time[i] > by.covered);
    found.known |=
        (uint32_t)are_reads_known(&by, at.read_time[i], at.read_thread[i], at.read_warps[i],
                                  at.read_lanes[i], at.read_info[i], lanes)
        << i;
    found.joined |= (uint32_t)(other == 0) << i;
  }
  return found;
}

// Loops of a known length need no rest.
WITH_AVX2 static Standing standing_by_avx2(const Row *row, const Cells *cells, uint32_t word,
                                           Segment s) {
  if (s.count == 32)
    return find_standing(row, cells, word, (Segment){0, 32, 0, 1});
  if (s.count == 16)
    return find_standing(row, cells, word, (Segment){s.first, 16, 0, s.repeat});
  return find_standing(row, cells, word, s);
}

static Standing standing_plainly(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  return find_standing(row, cells, word, s);
}

static void set_known(const Row *row, Cells *cells, uint32_t word, Segment s, uint32_t known) {
  Row by = *row;
  Cells at = *cells;
  for (; known; known &= known - 1) {
    uint32_t i = bits_first(known);
    set_reads(&by, &at, word + i, s.repeat << (s.first + i));
  }
}

static bool take_row(const Row *row, Cells *cells, uint32_t word, Segment s) {
  uint32_t all = UINT32_MAX >> (32 - s.count);
  uint32_t others = all & ~deferred_among(cells->page, word, s.count);
  Standing found =
      row->has_avx2 ? standing_by_avx2(row, cells, word, s) : standing_plainly(row, cells, word, s);
  uint32_t known = found.known & others, joined = found.joined & others & ~known;
  uint32_t deferred = all & ~known & ~joined;
  if (found.written || (deferred && !deferred_reserve(row, cells->page)))
    return false;
  if (deferred)
    deferred_add_row(row, cells->page, word, s, deferred);
  set_known(row, cells, word, s, known);
  for (; joined; joined &= joined - 1)
    cells->read_warps[word + bits_first(joined)] |= row->warp_bit;
  return true;
}

// --- lanes

// Remembers the read, or notes it; the word has not been written since the barrier.
ALWAYS_INLINE void take_word(const Row *row, Cells *cells, uint32_t word, uint32_t lanes,
                             DeferredWord *noted, uint32_t *count) {
  uint32_t time = cells->read_time[word], info = cells->read_info[word];
  if (!deferred_has(cells->page, word)) {
    if (time <= row->covered ||
        are_reads_known(row, time, cells->read_thread[word], cells->read_warps[word],
                        cells->read_lanes[word], info, lanes)) {
      set_reads(row, cells, word, lanes);
      return;
    }
    if (time == row->now && info == row->info && cells->read_thread[word] == row->block_first &&
        join_reads(row, cells, word, lanes))
      return;
  }
  deferred_mark(cells->page, word);
  noted[(*count)++] = (DeferredWord){word, lanes};
}

static bool is_written(const Row *row, const Cells *cells, uint32_t word, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = word; i < word + count; i++)
    found |= cells->write_time[i] > row->covered;
  return found;
}

static uint32_t take_lanes(const Row *by, Cells *cells, const int32_t *words, uint32_t lanes,
                           uint32_t shift, uint32_t repeat) {
  DeferredWord noted[DEFERRED_WORDS];
  uint32_t taken = 0, count = 0;
  Row row = *by;
  if (!deferred_reserve(by, cells->page))
    return 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left), word = (uint32_t)words[lane];
    if (is_written(&row, cells, word, 1u << shift))
      break;
    for (uint32_t i = 0; i < 1u << shift; i++)
      take_word(&row, cells, word + i, repeat << lane, noted, &count);
    taken |= left & -left;
  }
  deferred_add_words(by, cells->page, noted, count);
  return taken;
}

uint32_t deferred_take_lanes(const Row *row, Cells *cells, const int32_t *words, uint32_t lanes,
                             uint32_t shift) {
  return deferred_is_open(row) ? take_lanes(row, cells, words, lanes, shift, 1) : 0;
}

// Rows of larger words, lane by lane.
static bool take_lanes_of_row(const Row *row, Cells *cells, uint32_t word, Segment s) {
  int32_t words[WARP_LANES];
  uint32_t lanes = UINT32_MAX >> (WARP_LANES - s.count) << s.first;
  if (is_written(row, cells, word, s.count << s.shift))
    return false;
  for (uint32_t i = 0; i < s.count; i++)
    words[s.first + i] = (int32_t)(word + (i << s.shift));
  return take_lanes(row, cells, words, lanes, s.shift, s.repeat) == lanes;
}

bool deferred_take(const Row *row, Cells *cells, uint32_t word, Segment s) {
  bool is_taken = deferred_is_open(row) && (s.shift ? take_lanes_of_row(row, cells, word, s)
                                                    : take_row(row, cells, word, s));
  if (!is_taken)
    deferred_settle_words(row, cells->page, word, s.count << s.shift);
  return is_taken;
}
