#include "race/counter.h"
#include "race/deferred.h"
#include "race/row_pattern.h"

#include "base/bits.h"

Row row_make(Race *race, Block *block, const Warp *warp, uint32_t warp_number, const Group *group,
             uint32_t info, const EmuBlock *owner) {
  uint32_t uniform = group->uniform;
  if (block->has_exits && block->most_uniform < uniform)
    uniform = block->most_uniform;
  bool is_strict = info_field(info, INFO_PROXY) != PROXY_GENERIC;
  return (Row){.block_first = block->number << SLOT_BITS,
               .warp_first = block->number << SLOT_BITS | warp_number << 5,
               .uniform = uniform,
               .warp_known = group->warp_known,
               .covered = owner == block->emu && !block->has_visitors && !is_strict ? uniform : 0,
               .limit = race->grids[block->emu->grid].ordered_limit << SLOT_BITS,
               .now = warp->now,
               .info = info,
               .grid = block->emu->grid,
               .warp_bit = 1u << warp_number,
               .race = race,
               .defers = owner == block->emu && !is_strict && block->defers ? block : NULL,
               .heap = &race->heap,
               .readers = owner ? NULL : race->readers,
               .patterns = race->patterns,
               .clock = group->clock.part[CLOCK_THREADS],
               .is_strict = is_strict,
               .has_avx2 = race->has_avx2};
}

bool row_has_avx2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

// --- rows: each loop is compiled for AVX2, too

ALWAYS_INLINE uint32_t words_of(Segment s) {
  return s.count << s.shift;
}

ALWAYS_INLINE void fill_lanes(uint32_t *lanes, Segment s) {
  for (uint32_t i = 0; i < s.count << s.shift; i++)
    lanes[i] = s.repeat << (s.first + (i >> s.shift));
}

// Numbers of the threads of the lanes.
ALWAYS_INLINE void fill_threads(uint32_t *threads, Segment s, uint32_t first) {
  for (uint32_t i = 0; i < s.count << s.shift; i++)
    threads[i] = first + s.first + (i >> s.shift);
}

ALWAYS_INLINE void set_row_reads(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  fill(cells->read_time + word, words_of(s), row->now);
  fill(cells->read_thread + word, words_of(s), row->block_first);
  fill(cells->read_warps + word, words_of(s), row->warp_bit);
  fill(cells->read_info + word, words_of(s), row->info);
  fill_lanes(cells->read_lanes + word, s);
}

ALWAYS_INLINE void set_row_writes(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  fill(cells->write_time + word, words_of(s), row->now);
  fill(cells->write_info + word, words_of(s), row->info);
  fill(cells->read_time + word, words_of(s), 0);
  fill(cells->read_info + word, words_of(s), 0);
  fill_threads(cells->write_thread + word, s, row->warp_first);
}

ALWAYS_INLINE void join_row(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  uint32_t *warps = cells->read_warps + word, warp_bit = row->warp_bit;
  for (uint32_t i = 0; i < s.count << s.shift; i++)
    warps[i] |= warp_bit;
}

// --- reads by several blocks

static const ReaderSet *add_block(const Row *row, const Cells *cells, uint32_t word) {
  uint32_t block = row->block_first >> SLOT_BITS;
  const ReaderSet *set;
  if (cells->read_info[word] & INFO_FORM_BIT)
    set = word_set(cells, word);
  else
    set = readers_add(row->readers, row->heap, NULL, cells->read_thread[word] >> SLOT_BITS);
  return set ? readers_add(row->readers, row->heap, set, block) : NULL;
}

// In form of a set or of a block's threads, which are the same for each word.
ALWAYS_INLINE bool is_alike_row(const Row *row, const Cells *cells, uint32_t word, Segment s,
                                bool has_set) {
  const uint32_t *write_time = cells->write_time + word, *write_thread = cells->write_thread + word;
  const uint32_t *read_time = cells->read_time + word, *read_thread = cells->read_thread + word;
  const uint32_t *read_info = cells->read_info + word, *read_warps = cells->read_warps + word;
  const uint32_t *read_lanes = cells->read_lanes + word;
  uint32_t info = *read_info, warps = *read_warps, lanes = *read_lanes, thread = *read_thread;
  uint32_t other = 0;
  Row by = *row;
  for (uint32_t i = 0; i < s.count << s.shift; i++) {
    uint32_t step = i >> s.shift, own = by.warp_first + s.first + step;
    uint32_t is_known = is_write_known(&by, write_time[i], write_thread[i], own);
    other |= (is_known ^ 1) | (read_time[i] ^ by.now) | (read_info[i] ^ info) |
             (read_warps[i] ^ warps) | (read_lanes[i] ^ (has_set ? lanes : lanes << step)) |
             (read_thread[i] ^ (has_set ? thread + step : thread));
  }
  return !other;
}

// The same lanes of other blocks, and of the same ones for each word, have read the row at this
// time.
ALWAYS_INLINE bool is_read_by_others(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  uint32_t info = cells->read_info[word];
  if ((info & ~INFO_FORM_BIT) != row->info || cells->read_time[word] != row->now)
    return false;
  if (info & INFO_FORM_BIT) {
    uint32_t slot = row->warp_first & ((1u << SLOT_BITS) - 1);
    return cells->read_thread[word] == slot + s.first && is_alike_row(row, cells, word, s, true);
  }
  return cells->read_warps[word] == row->warp_bit && cells->read_lanes[word] == 1u << s.first &&
         is_alike_row(row, cells, word, s, false);
}

ALWAYS_INLINE bool join_set(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  if (!row->readers || s.repeat != 1 || !is_read_by_others(row, cells, word, s))
    return false;
  const ReaderSet *set = add_block(row, cells, word);
  if (!set)
    return false;
  fill(cells->read_warps + word, words_of(s), (uint32_t)(uintptr_t)set);
  fill(cells->read_lanes + word, words_of(s), (uint32_t)((uint64_t)(uintptr_t)set >> 32));
  fill(cells->read_info + word, words_of(s), row->info | INFO_FORM_BIT);
  fill_threads(cells->read_thread + word, s, row->warp_first & ((1u << SLOT_BITS) - 1));
  return true;
}

// Blocks that have ended for good need not be remembered.
static void forget_ended(const Row *row, Cells *cells, uint32_t word, uint32_t words) {
  const ReaderSet *over = NULL;
  if (!row->readers || !(cells->read_info[word] & INFO_FORM_BIT))
    return;
  for (uint32_t i = word; i < word + words; i++) {
    if (!word_has_set(cells, i))
      continue;
    const ReaderSet *set = word_set(cells, i);
    if (set != over && set->largest >= row->limit >> SLOT_BITS)
      return;
    over = set;
    cells->read_time[i] = cells->read_info[i] = 0;
  }
}

// Reads of several lanes know only what all know; they may be the same ones again.
static bool add_reads(const Row *row, Cells *cells, uint32_t word, uint32_t lanes) {
  bool is_one = !(lanes & (lanes - 1));
  if (!is_write_known(row, cells->write_time[word], cells->write_thread[word],
                      is_one ? row->warp_first + bits_first(lanes) : UINT32_MAX))
    return false;
  if (are_reads_known(row, cells->read_time[word], cells->read_thread[word],
                      cells->read_warps[word], cells->read_lanes[word], cells->read_info[word],
                      lanes)) {
    set_reads(row, cells, word, lanes);
    return true;
  }
  if (cells->read_time[word] != row->now || (cells->read_info[word] & ~INFO_FORM_BIT) != row->info)
    return false;
  if (!(cells->read_info[word] & INFO_FORM_BIT) && cells->read_thread[word] == row->block_first)
    return join_reads(row, cells, word, lanes);
  return is_one && join_set(row, cells, word, (Segment){bits_first(lanes), 1, 0, 1});
}

static bool add_write(const Row *row, Cells *cells, uint32_t word, uint32_t lane) {
  if (!is_word_known(row, cells, word, row->warp_first + lane, 1u << lane) &&
      !row_forget_pattern(row, cells, word, lane))
    return false;
  set_write(row, cells, word, lane);
  return true;
}

// --- rows of any kind

ALWAYS_INLINE bool is_known_row(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  Cells at = cells_at(cells, word);
  uint32_t unknown = 0;
  Row by = *row;
  for (uint32_t i = 0; i < s.count << s.shift; i++) {
    uint32_t lane = s.first + (i >> s.shift);
    uint32_t is_known =
        is_word_known(&by, &at, i, own_thread(&by, lane, s.repeat), s.repeat << lane);
    unknown |= is_known ^ 1;
  }
  return !unknown;
}

ALWAYS_INLINE bool try_read(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  if (!is_known_row(row, cells, word, s))
    return false;
  set_row_reads(row, cells, word, s);
  return true;
}

ALWAYS_INLINE bool try_write(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  if (!is_known_row(row, cells, word, s))
    return false;
  set_row_writes(row, cells, word, s);
  return true;
}

// The same lanes of other warps have read the row at this time.
ALWAYS_INLINE bool try_join(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  const uint32_t *write_time = cells->write_time + word, *write_thread = cells->write_thread + word;
  const uint32_t *read_time = cells->read_time + word, *read_thread = cells->read_thread + word;
  const uint32_t *read_info = cells->read_info + word, *read_lanes = cells->read_lanes + word;
  uint32_t other = 0;
  Row by = *row;
  for (uint32_t i = 0; i < s.count << s.shift; i++) {
    uint32_t lane = s.first + (i >> s.shift);
    uint32_t is_known =
        is_write_known(&by, write_time[i], write_thread[i], own_thread(&by, lane, s.repeat));
    other |= (is_known ^ 1) | (read_time[i] ^ by.now) | (read_info[i] ^ by.info) |
             (read_thread[i] ^ by.block_first) | (read_lanes[i] ^ (s.repeat << lane));
  }
  if (!other)
    join_row(row, cells, word, s);
  return !other;
}

// --- rows of which all is covered, which most are

ALWAYS_INLINE bool read_covered(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  const uint32_t *write_time = cells->write_time + word, *read_time = cells->read_time + word;
  const uint32_t *info = cells->read_info + word, *lanes = cells->read_lanes + word;
  uint32_t write = 0, read = 0, other = 0, covered = row->covered, now = row->now;
  for (uint32_t i = 0; i < s.count << s.shift; i++) {
    uint32_t time = read_time[i];
    write |= (uint32_t)(write_time[i] > covered);
    read |= (uint32_t)(time > covered);
    other |= (time ^ now) | (info[i] ^ row->info) |
             (lanes[i] ^ (s.repeat << (s.first + (i >> s.shift))));
  }
  // Others of the block may have read just this.
  bool is_joined = covered && !other && !deferred_any(cells->page, word, words_of(s));
  if (write || (read && !is_joined))
    return false;
  if (is_joined) {
    join_row(row, cells, word, s);
    return true;
  }
  set_row_reads(row, cells, word, s);
  return true;
}

// The same for one word.
static bool read_covered_word(const Row *row, Cells *cells, uint32_t word, uint32_t lanes) {
  uint32_t time = cells->read_time[word];
  if (cells->write_time[word] > row->covered)
    return false;
  if (time <= row->covered) {
    set_reads(row, cells, word, lanes);
    return true;
  }
  if (!row->covered || time != row->now || cells->read_info[word] != row->info ||
      cells->read_lanes[word] != lanes || deferred_has(cells->page, word))
    return false;
  cells->read_warps[word] |= row->warp_bit;
  return true;
}

static bool write_covered_word(const Row *row, Cells *cells, uint32_t word, uint32_t lane) {
  if (cells->write_time[word] > row->covered || cells->read_time[word] > row->covered)
    return false;
  set_write(row, cells, word, lane);
  return true;
}

ALWAYS_INLINE bool write_covered(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  const uint32_t *write_time = cells->write_time + word, *read_time = cells->read_time + word;
  uint32_t is_newer = 0, covered = row->covered;
  for (uint32_t i = 0; i < s.count << s.shift; i++)
    is_newer |= (uint32_t)(write_time[i] > covered) | (uint32_t)(read_time[i] > covered);
  if (is_newer)
    return false;
  set_row_writes(row, cells, word, s);
  return true;
}

ALWAYS_INLINE bool read_row(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  bool has_set = cells->read_info[word] == (row->info | INFO_FORM_BIT);
  if (word_has_pattern(cells, word) || word_has_pattern(cells, word + words_of(s) - 1))
    return read_covered(row, cells, word, s);
  if (!has_set && (read_covered(row, cells, word, s) || try_read(row, cells, word, s) ||
                   try_join(row, cells, word, s)))
    return true;
  return join_set(row, cells, word, s);
}

ALWAYS_INLINE bool write_row(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  return write_covered(row, cells, word, s) || try_write(row, cells, word, s);
}

// Loops of a known length need no rest.
ALWAYS_INLINE bool read_common(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  if (s.shift || !row->covered)
    return false;
  if (s.count == 32)
    return read_covered(row, cells, word, (Segment){0, 32, 0, 1});
  return s.count == 16 && read_covered(row, cells, word, (Segment){s.first, 16, 0, s.repeat});
}

ALWAYS_INLINE bool write_common(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  if (s.shift || !row->covered)
    return false;
  if (s.count == 32)
    return write_covered(row, cells, word, (Segment){0, 32, 0, 1});
  return s.count == 16 && write_covered(row, cells, word, (Segment){s.first, 16, 0, 1});
}

WITH_AVX2 static bool read_covered_by_avx2(const Row *row, const Cells *cells, uint32_t word,
                                           Segment s) {
  if (!s.shift && (s.count == 32 || s.count == 16))
    return read_common(row, cells, word, s);
  return read_covered(row, cells, word, s);
}

static bool read_covered_plainly(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  return read_covered(row, cells, word, s);
}

WITH_AVX2 static bool read_by_avx2(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  return read_common(row, cells, word, s) || read_row(row, cells, word, s);
}

static bool read_plainly(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  return read_row(row, cells, word, s);
}

WITH_AVX2 static bool write_covered_by_avx2(const Row *row, const Cells *cells, uint32_t word,
                                            Segment s) {
  return write_common(row, cells, word, s) || write_covered(row, cells, word, s);
}

static bool write_covered_plainly(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  return write_covered(row, cells, word, s);
}

WITH_AVX2 static bool write_by_avx2(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  return write_common(row, cells, word, s) || write_row(row, cells, word, s);
}

static bool write_plainly(const Row *row, const Cells *cells, uint32_t word, Segment s) {
  return write_row(row, cells, word, s);
}

// --- words of a row one by one, or in runs

// Of up to 32 words, as masks.
typedef struct Survey {
  uint32_t is_written; // the last write is known
  uint32_t is_known;   // all is known
  uint32_t is_other;   // the readers are not those of the word before, moved as the lanes are
} Survey;

// Not 0: the readers of word i are not those of the word before.
ALWAYS_INLINE uint32_t is_not_moved(const Cells *at, const Cells *before, uint32_t i,
                                    uint32_t step) {
  uint32_t info = at->read_info[i], lanes = before->read_lanes[i];
  uint32_t form = -(info >> INFO_FORM), moves = step & ~form;
  return (info ^ before->read_info[i]) | (at->read_time[i] ^ before->read_time[i]) |
         (at->read_warps[i] ^ before->read_warps[i]) | (at->read_lanes[i] ^ (lanes << moves)) |
         (lanes >> 31 & moves) | (at->read_thread[i] ^ (before->read_thread[i] + (step & form)));
}

ALWAYS_INLINE Survey survey_words(const Row *row, const Cells *cells, uint32_t word, Segment s,
                                  uint32_t from, uint32_t count) {
  uint32_t is_written = 0, is_known = 0, is_other = 0;
  Row by = *row;
  Cells at = cells_at(cells, word + from), next = cells_at(&at, 1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t lane = s.first + ((from + i) >> s.shift);
    uint32_t written =
        is_write_known(&by, at.write_time[i], at.write_thread[i], own_thread(&by, lane, s.repeat));
    uint32_t read = are_reads_known(&by, at.read_time[i], at.read_thread[i], at.read_warps[i],
                                    at.read_lanes[i], at.read_info[i], s.repeat << lane);
    is_written |= written << i;
    is_known |= (written & read) << i;
  }
  for (uint32_t i = 0; i + 1 < count; i++) {
    uint32_t step = ((from + i + 1) >> s.shift) - ((from + i) >> s.shift);
    is_other |= (uint32_t)(is_not_moved(&next, &at, i, step) != 0) << i;
  }
  return (Survey){is_written, is_known, is_other << 1 | 1};
}

WITH_AVX2 static Survey survey_by_avx2(const Row *row, const Cells *cells, uint32_t word, Segment s,
                                       uint32_t from, uint32_t count) {
  return survey_words(row, cells, word, s, from, count);
}

static Survey survey(const Row *row, const Cells *cells, uint32_t word, Segment s, uint32_t from,
                     uint32_t count) {
  if (row->has_avx2)
    return survey_by_avx2(row, cells, word, s, from, count);
  return survey_words(row, cells, word, s, from, count);
}

// How many bits from the first one on are set?
static uint32_t ones(uint32_t mask) {
  return mask == UINT32_MAX ? 32 : bits_first(~mask);
}

// The part of a segment's words that a survey is of; returns those that need a closer look.
static uint32_t read_part(const Row *row, Cells *cells, uint32_t word, Segment s, uint32_t from,
                          uint32_t count) {
  Survey found = survey(row, cells, word, s, from, count);
  uint32_t left = 0;
  for (uint32_t i = 0, taken; i < count; i += taken) {
    uint32_t first = from + i, lanes = s.repeat << (s.first + (first >> s.shift));
    taken = 1;
    if (found.is_known >> i & 1) {
      taken = ones(found.is_known >> i);
      for (uint32_t k = first; k < first + taken; k++)
        set_reads(row, cells, word + k, s.repeat << (s.first + (k >> s.shift)));
      continue;
    }
    bool is_written = found.is_written >> i & 1;
    if (is_written && !word_has_pattern(cells, word + first) &&
        add_reads(row, cells, word + first, lanes))
      continue;
    uint32_t alike = ~found.is_other & found.is_written;
    uint32_t run = i + 1 < count ? 1 + ones(alike >> (i + 1)) : 1;
    taken = is_written ? row_join_pattern(row, cells, word, s, first, run) : 0;
    if (taken)
      continue;
    left |= 1u << (first >> s.shift);
    taken = 1;
  }
  return left;
}

static uint32_t read_words(const Row *row, Cells *cells, uint32_t word, Segment s) {
  uint32_t left = 0, words = words_of(s);
  for (uint32_t from = 0; from < words; from += 32)
    left |= read_part(row, cells, word, s, from, words - from < 32 ? words - from : 32);
  return left;
}

static bool try_to_read(const Row *row, Cells *cells, uint32_t word, Segment s) {
  if (words_of(s) == 1)
    return read_covered_word(row, cells, word, s.repeat << s.first);
  return row->has_avx2 ? read_by_avx2(row, cells, word, s) : read_plainly(row, cells, word, s);
}

static bool try_to_write(const Row *row, Cells *cells, uint32_t word, Segment s) {
  if (s.count << s.shift == 1)
    return add_write(row, cells, word, s.first);
  return row->has_avx2 ? write_by_avx2(row, cells, word, s) : write_plainly(row, cells, word, s);
}

// Reads of shared memory that can be deferred, if they have to.
static bool read_or_defer(const Row *row, Cells *cells, uint32_t word, Segment s) {
  if (words_of(s) > 1 && (row->has_avx2 ? read_covered_by_avx2(row, cells, word, s)
                                        : read_covered_plainly(row, cells, word, s)))
    return true;
  return deferred_take(row, cells, word, s);
}

uint32_t row_read(const Row *row, Cells *cells, uint32_t word, Segment s) {
  uint32_t words = words_of(s);
  if (words == 1 && read_covered_word(row, cells, word, s.repeat << s.first))
    return 0;
  if (row->defers && read_or_defer(row, cells, word, s))
    return 0;
  forget_ended(row, cells, word, words);
  if (try_to_read(row, cells, word, s) ||
      (counter_settle(row, cells, word, words) && try_to_read(row, cells, word, s)))
    return 0;
  return read_words(row, cells, word, s);
}

uint32_t row_write(const Row *row, Cells *cells, uint32_t word, Segment s) {
  uint32_t left = 0, words = words_of(s);
  if (words == 1 && write_covered_word(row, cells, word, s.first))
    return 0;
  if (row->defers && cells->page->marks) {
    if (row->has_avx2 ? write_covered_by_avx2(row, cells, word, s)
                      : write_covered_plainly(row, cells, word, s))
      return 0;
    deferred_settle_words(row, cells->page, word, words);
  }
  forget_ended(row, cells, word, words);
  if (try_to_write(row, cells, word, s) ||
      (counter_settle(row, cells, word, words) && try_to_write(row, cells, word, s)))
    return 0;
  for (uint32_t i = 0; i < words; i++)
    if (!add_write(row, cells, word + i, s.first + (i >> s.shift)))
      left |= 1u << (i >> s.shift);
  return left;
}
