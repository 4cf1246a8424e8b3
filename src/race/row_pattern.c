#include "race/row_pattern.h"

#include "base/bits.h"

// The readers of a word.
typedef struct Readers {
  uint32_t info, time;
  uint32_t thread; // the lowest one; of a set: its number in the block
  // Of a pattern or a set the halves of its address; of others what a pattern's member has.
  uint32_t warps, lanes;
} Readers;

static Readers readers_of(const Cells *cells, uint32_t word) {
  Readers readers = {cells->read_info[word], cells->read_time[word], cells->read_thread[word],
                     cells->read_warps[word], cells->read_lanes[word]};
  if ((readers.info & INFO_FORM_BIT) || !readers.time)
    return readers;
  uint32_t warp = bits_first(readers.warps), lane = bits_first(readers.lanes);
  readers.thread |= warp << 5 | lane;
  readers.warps >>= warp;
  readers.lanes >>= lane;
  return readers;
}

static uint32_t thread_of(const Row *row, Segment s, uint32_t i) {
  return row->warp_first + s.first + (i >> s.shift);
}

// --- who is known

// Are all threads of the member, whose lowest is `thread`, known from barriers or the ends of
// grids?
static bool is_member_known(const Row *row, const PatternMember *member, uint32_t thread,
                            uint32_t time) {
  uint32_t last = thread + 32 * bits_last(member->warps) + bits_last(member->lanes);
  bool is_in_block = (thread ^ row->block_first) >> SLOT_BITS == 0;
  bool is_in_warp = member->warps == 1 && (thread ^ row->warp_first) >> 5 == 0;
  return last < row->limit || (!row->is_strict && ((is_in_block && time <= row->uniform) ||
                                                   (is_in_warp && time <= row->warp_known)));
}

// The same for `count` threads one after the other, by the group's clock.
static bool is_clocked(const Row *row, const PatternMember *member, uint32_t thread, uint32_t time,
                       uint32_t count) {
  if (!row->clock || row->is_strict)
    return false;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t warps = member->warps; warps; warps &= warps - 1) {
      uint32_t first = thread + i + 32 * bits_first(warps);
      if (clock_least(row->clock, first >> SLOT_BITS, first >> 5 & 31,
                      member->lanes << (first & 31)) < time)
        return false;
    }
  return true;
}

// Can some of the readers be known?
static bool can_be_known(const Row *row, const Pattern *pattern, const Readers *readers,
                         bool uses_clock) {
  uint32_t oldest = readers->time - pattern->oldest;
  return readers->thread < row->limit || oldest <= row->uniform || oldest <= row->warp_known ||
         (uses_clock && row->clock);
}

// Members of which the lanes of a run know all: of its first thread and of that `last` steps on.
static uint64_t known_members(const Row *row, const Pattern *pattern, const Readers *readers,
                              uint32_t last, bool uses_clock) {
  uint64_t known = 0;
  if (!can_be_known(row, pattern, readers, uses_clock))
    return 0;
  for (uint32_t i = 0; i < pattern->count; i++) {
    const PatternMember *member = &pattern->members[i];
    uint32_t thread = readers->thread + member->delta, time = readers->time - member->age;
    bool is_known = (is_member_known(row, member, thread, time) &&
                     (!last || is_member_known(row, member, thread + last, time))) ||
                    (uses_clock && is_clocked(row, member, thread, time, last + 1));
    known |= (uint64_t)is_known << i;
  }
  return known;
}

static uint64_t all_members(const Pattern *pattern) {
  return pattern->count == 64 ? UINT64_MAX : (1ull << pattern->count) - 1;
}

// Is a member of the lane itself? Most often all that a word's readers are is known or this.
static uint64_t own_member(const Pattern *pattern, uint32_t delta) {
  for (uint32_t i = 0; i < pattern->count && pattern->members[i].delta <= delta; i++)
    if (pattern->members[i].delta == delta && pattern->members[i].warps == 1 &&
        pattern->members[i].lanes == 1)
      return 1ull << i;
  return 0;
}

// --- reading

// A set of few blocks, whose same thread has read the word, as a pattern.
static const Pattern *pattern_of_set(const Row *row, const Cells *cells, uint32_t word,
                                     Readers *readers) {
  uint32_t blocks[MOST_READERS];
  const ReaderSet *set = word_set(cells, word);
  if (set->count >= MOST_MEMBERS)
    return NULL;
  uint32_t count = readers_list(set, blocks), info = readers->info & ~INFO_FORM_BIT;
  const Pattern *pattern = pattern_of_one(row->patterns, row->heap, 1, 1, info);
  for (uint32_t i = 1; pattern && i < count; i++) {
    PatternRead read = {.delta = (blocks[i] - blocks[0]) << SLOT_BITS, .lanes = 1, .info = info};
    const PatternStep *step = pattern_add(row->patterns, row->heap, pattern, &read, 1);
    pattern = step ? step->to : NULL;
  }
  readers->thread |= blocks[0] << SLOT_BITS;
  return pattern;
}

// NULL: it has none, and cannot share one.
static const Pattern *pattern_of(const Row *row, const Cells *cells, uint32_t word,
                                 Readers *readers) {
  if (readers->info == INFO_PATTERN)
    return word_pattern(cells, word);
  if (readers->info & INFO_FORM_BIT)
    return pattern_of_set(row, cells, word, readers);
  return pattern_of_one(row->patterns, row->heap, readers->warps, readers->lanes, readers->info);
}

// Of `count` words, of which each lane has 1 << shift; `first` is the first one's number in its
// lane.
static void set_patterns(Cells *cells, uint32_t word, const Readers *old, uint32_t shift,
                         uint32_t first, uint32_t count, const PatternStep *step) {
  uint64_t address = (uintptr_t)step->to;
  uint32_t thread = old->thread + step->thread_change, *threads = cells->read_thread + word;
  fill(cells->read_time + word, count, old->time + step->time_change);
  fill(cells->read_warps + word, count, (uint32_t)address);
  fill(cells->read_lanes + word, count, (uint32_t)(address >> 32));
  fill(cells->read_info + word, count, INFO_PATTERN);
  for (uint32_t i = 0; i < count; i++)
    threads[i] = thread + ((first + i) >> shift);
}

// In global memory, where each write and read of a word with a pattern comes by, a word can have
// its own.
static bool join_own(const Row *row, Cells *cells, uint32_t word, const Readers *old,
                     const Pattern *from, const PatternRead *read) {
  PatternStep step;
  Pattern *first = NULL;
  if (!row->readers)
    return false;
  if (!from && !(old->info & INFO_FORM_BIT)) {
    PatternRead one = {.lanes = old->lanes, .info = old->info, .warps = old->warps};
    from = first = pattern_add_own(row->heap, NULL, &one, &step);
  }
  if (!from || !pattern_add_own(row->heap, from, read, &step)) {
    pattern_give(row->heap, first);
    return false;
  }
  set_patterns(cells, word, old, 0, 0, 1, &step);
  return true;
}

static void read_alone(const Row *row, Cells *cells, uint32_t word, Segment s, uint32_t i,
                       uint32_t count) {
  if (word_has_pattern(cells, word + i))
    pattern_give(row->heap, word_pattern(cells, word + i));
  for (uint32_t k = i; k < i + count; k++)
    set_reads(row, cells, word + k, s.repeat << (s.first + (k >> s.shift)));
}

uint32_t row_join_pattern(const Row *row, Cells *cells, uint32_t word, Segment s, uint32_t i,
                          uint32_t count) {
  enum { MANY_MEMBERS = 8 };
  Readers old = readers_of(cells, word + i);
  uint32_t own = thread_of(row, s, i);
  const Pattern *pattern = pattern_of(row, cells, word + i, &old);
  PatternRead read = {.delta = own - old.thread,
                      .lanes = s.repeat,
                      .info = row->info,
                      .later = row->now - old.time,
                      .slot = s.repeat > 1 ? old.thread & ((1u << SLOT_BITS) - 1) : 0};
  if (pattern) {
    uint32_t last = ((i + count - 1) >> s.shift) - (i >> s.shift);
    read.known = known_members(row, pattern, &old, last, pattern->count >= MANY_MEMBERS);
    if (read.known == all_members(pattern)) {
      read_alone(row, cells, word, s, i, count);
      return count;
    }
  }
  const PatternStep *step = NULL;
  if (pattern && !pattern->capacity)
    step = pattern_add(row->patterns, row->heap, pattern, &read, count);
  if (!step)
    return join_own(row, cells, word + i, &old, pattern, &read);
  set_patterns(cells, word + i, &old, s.shift, i & ((1u << s.shift) - 1), count, step);
  return count;
}

// --- writing

bool row_forget_pattern(const Row *row, Cells *cells, uint32_t word, uint32_t lane) {
  uint32_t own = row->warp_first + lane;
  if (!word_has_pattern(cells, word) ||
      !is_write_known(row, cells->write_time[word], cells->write_thread[word], own))
    return false;
  const Pattern *pattern = word_pattern(cells, word);
  Readers readers = readers_of(cells, word);
  uint64_t known = known_members(row, pattern, &readers, 0, true);
  if (!row->is_strict)
    known |= own_member(pattern, own - readers.thread);
  if (known != all_members(pattern))
    return false;
  pattern_give(row->heap, pattern);
  return true;
}
