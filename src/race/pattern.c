#include "race/pattern.h"

#include "race/shadow.h"

#include "base/bits.h"

#include <string.h>

enum {
  MOST_STEPS = 1 << 16,
  // Steps that are taken by few words at a time: what is read at random places has no others.
  MOST_NARROW_STEPS = MOST_STEPS / 4,
  FEW_WORDS = 4,
  FIRST_CAPACITY = 2,
};

typedef struct Draft {
  uint32_t count, oldest, thread_change, time_change;
  PatternMember members[MOST_MEMBERS + 1];
} Draft;

static size_t pattern_size(uint32_t members) {
  return sizeof(Pattern) + members * sizeof(PatternMember);
}

// --- what adding a read gives

// The same lanes, by the same proxy: whatever races with the older read does so with the newer.
static bool stands_for(const PatternRead *read, const PatternMember *older) {
  return older->warps == 1 && older->delta == read->delta && older->lanes == read->lanes &&
         info_field(older->info, INFO_PROXY) == info_field(read->info, INFO_PROXY);
}

// Deltas are those from the old lowest thread on, until `settle`.
static void copy_members(Draft *draft, const Pattern *from, const PatternRead *read) {
  uint32_t older = (int32_t)read->later > 0 ? read->later : 0;
  draft->time_change = older;
  for (uint32_t i = 0; from && i < from->count; i++) {
    if ((read->known >> i & 1) || stands_for(read, &from->members[i]))
      continue;
    draft->members[draft->count] = from->members[i];
    draft->members[draft->count++].age += older;
  }
}

// Lanes of one more warp of the block, or of one that the member has.
static bool take_warp(PatternMember *member, const PatternMember *added, uint32_t slot) {
  uint32_t own = slot + member->delta, other = slot + added->delta;
  if (member->info != added->info || member->age != added->age || member->lanes != added->lanes ||
      own >> SLOT_BITS != other >> SLOT_BITS || ((own ^ other) & 31))
    return false;
  uint32_t all = member->warps << (own >> 5 & 31) | added->warps << (other >> 5 & 31);
  uint32_t first = bits_first(all);
  member->delta += 32 * first - (own & (31u << 5));
  member->warps = all >> first;
  return true;
}

static void add_member(Draft *draft, const PatternRead *read) {
  PatternMember added = {.delta = read->delta,
                         .warps = read->warps ? read->warps : 1,
                         .lanes = read->lanes,
                         .info = read->info,
                         .age = (int32_t)read->later < 0 ? -read->later : 0};
  bool is_one = !(read->lanes & (read->lanes - 1));
  for (uint32_t i = 0; !is_one && i < draft->count; i++)
    if (take_warp(&draft->members[i], &added, read->slot))
      return;
  draft->members[draft->count++] = added;
}

static bool comes_before(const PatternMember *a, const PatternMember *b) {
  if (a->delta != b->delta)
    return a->delta < b->delta;
  if (a->info != b->info)
    return a->info < b->info;
  return a->age != b->age ? a->age < b->age : a->lanes < b->lanes;
}

// The same set has one pattern, whatever the order in which it came about.
static void settle(Draft *draft) {
  int32_t lowest = INT32_MAX;
  draft->oldest = 0;
  for (uint32_t i = 0; i < draft->count; i++) {
    const PatternMember *member = &draft->members[i];
    lowest = (int32_t)member->delta < lowest ? (int32_t)member->delta : lowest;
    draft->oldest = member->age > draft->oldest ? member->age : draft->oldest;
  }
  draft->thread_change = (uint32_t)lowest;
  for (uint32_t i = 0; i < draft->count; i++) {
    PatternMember member = draft->members[i];
    uint32_t j = i;
    member.delta -= (uint32_t)lowest;
    for (; j > 0 && comes_before(&member, &draft->members[j - 1]); j--)
      draft->members[j] = draft->members[j - 1];
    draft->members[j] = member;
  }
}

static bool make_draft(Draft *draft, const Pattern *from, const PatternRead *read) {
  draft->count = 0;
  copy_members(draft, from, read);
  add_member(draft, read);
  settle(draft);
  return draft->count <= MOST_MEMBERS;
}

// --- shared patterns

// What is hashed and compared as bytes has no gaps.
_Static_assert(sizeof(PatternMember) == 5 * sizeof(uint32_t), "members have gaps");
_Static_assert(sizeof(PatternRead) == 8 * sizeof(uint32_t), "reads have gaps");

static uint32_t hash_of(uint32_t hash, const void *data, size_t bytes) {
  const uint32_t *words = data;
  size_t count = bytes / sizeof *words;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ words[i]) * 0x9e3779b1u ^ hash >> 15;
  return hash;
}

static const Pattern *share(PatternTable *table, Heap *heap, const Draft *draft) {
  size_t bytes = draft->count * sizeof(PatternMember);
  uint32_t hash = hash_of(0, draft->members, bytes);
  Pattern **bucket = &table->patterns[hash % PATTERN_BUCKETS], *pattern = *bucket;
  while (pattern && (pattern->hash != hash || pattern->count != draft->count ||
                     memcmp(pattern->members, draft->members, bytes) != 0))
    pattern = pattern->next;
  if (pattern)
    return pattern;
  pattern = heap_take(heap, pattern_size(draft->count));
  *pattern =
      (Pattern){.next = *bucket, .hash = hash, .count = draft->count, .oldest = draft->oldest};
  memcpy(pattern->members, draft->members, bytes);
  *bucket = pattern;
  return pattern;
}

static bool is_same_read(const PatternRead *a, const PatternRead *b) {
  return a->delta == b->delta && a->lanes == b->lanes && a->info == b->info &&
         a->later == b->later && a->slot == b->slot && a->warps == b->warps && a->known == b->known;
}

static const PatternStep *find_step(PatternStep *step, const Pattern *from,
                                    const PatternRead *read) {
  while (step && (step->from != from || !is_same_read(&step->read, read)))
    step = step->next;
  return step;
}

// Called with the lock held.
static const PatternStep *make_step(Patterns *patterns, Heap *heap, const Pattern *from,
                                    const PatternRead *read, _Atomic(PatternStep *) *bucket) {
  Draft draft;
  if (!make_draft(&draft, from, read))
    return NULL;
  PatternStep *step = heap_take(heap, sizeof *step);
  *step = (PatternStep){.from = from,
                        .to = share(atomic_load(&patterns->table), heap, &draft),
                        .read = *read,
                        .thread_change = draft.thread_change,
                        .time_change = draft.time_change,
                        .next = atomic_load_explicit(bucket, memory_order_relaxed)};
  patterns->made++;
  atomic_store_explicit(bucket, step, memory_order_release);
  return step;
}

// Most runs need none.
static PatternTable *table_of(Patterns *patterns, Heap *heap) {
  PatternTable *table = atomic_load_explicit(&patterns->table, memory_order_acquire);
  if (table)
    return table;
  spin_lock(&patterns->lock);
  table = atomic_load_explicit(&patterns->table, memory_order_relaxed);
  if (!table) {
    table = heap_take_cleared(heap, sizeof *table);
    atomic_store_explicit(&patterns->table, table, memory_order_release);
  }
  spin_unlock(&patterns->lock);
  return table;
}

static _Atomic(PatternStep *) *bucket_of(PatternTable *table, const Pattern *from,
                                         const PatternRead *read) {
  uint32_t hash = hash_of((uint32_t)((uintptr_t)from >> 5), read, sizeof *read);
  return &table->steps[(hash ^ hash >> 16) * 0x85ebca6bu >> 16];
}

const PatternStep *pattern_add(Patterns *patterns, Heap *heap, const Pattern *from,
                               const PatternRead *read, uint32_t words) {
  _Atomic(PatternStep *) *bucket = bucket_of(table_of(patterns, heap), from, read);
  uint32_t most = words < FEW_WORDS ? MOST_NARROW_STEPS : MOST_STEPS;
  const PatternStep *step =
      find_step(atomic_load_explicit(bucket, memory_order_acquire), from, read);
  if (step)
    return step;
  spin_lock(&patterns->lock);
  step = find_step(atomic_load_explicit(bucket, memory_order_relaxed), from, read);
  if (!step && patterns->made < most)
    step = make_step(patterns, heap, from, read, bucket);
  spin_unlock(&patterns->lock);
  return step;
}

const Pattern *pattern_of_one(Patterns *patterns, Heap *heap, uint32_t warps, uint32_t lanes,
                              uint32_t info) {
  PatternRead read = {.lanes = lanes, .info = info, .warps = warps};
  const PatternStep *step = pattern_add(patterns, heap, NULL, &read, FEW_WORDS);
  return step ? step->to : NULL;
}

// --- patterns of one word

void pattern_give(Heap *heap, const Pattern *pattern) {
  if (pattern && pattern->capacity)
    heap_give(heap, (void *)(uintptr_t)pattern, pattern_size(pattern->capacity));
}

Pattern *pattern_add_own(Heap *heap, const Pattern *from, const PatternRead *read,
                         PatternStep *step) {
  Draft draft;
  if (!make_draft(&draft, from, read))
    return NULL;
  Pattern *own = from && from->capacity >= draft.count ? (Pattern *)(uintptr_t)from : NULL;
  if (!own) {
    uint32_t capacity = FIRST_CAPACITY;
    while (capacity < draft.count)
      capacity *= 2;
    pattern_give(heap, from);
    own = heap_take(heap, pattern_size(capacity));
    own->capacity = capacity;
  }
  own->count = draft.count;
  own->oldest = draft.oldest;
  memcpy(own->members, draft.members, draft.count * sizeof *draft.members);
  step->to = own;
  step->thread_change = draft.thread_change;
  step->time_change = draft.time_change;
  return own;
}
