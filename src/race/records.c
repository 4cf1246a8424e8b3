// What writes release: records of heads of release patterns.
//
// A reader takes those records whose head is morally strong with its acquire. Records of one block
// and scope are one. A reader that sees its whole device need not go through all blocks: for it the
// records of device and system scope are joined by device (`wide`).
#include "race/sync.h"

#include <string.h>

RecordSet *released_keep(RecordSet *records) {
  if (records)
    atomic_fetch_add_explicit(&records->references, 1, memory_order_relaxed);
  return records;
}

static size_t released_size(uint32_t capacity) {
  return capacity * sizeof(Record);
}

void released_drop(Heap *heap, RecordSet *records) {
  if (!records || atomic_fetch_sub_explicit(&records->references, 1, memory_order_acq_rel) > 1)
    return;
  for (uint32_t i = 0; i < records->count; i++)
    clock_release(heap, &records->records[i].clock);
  for (uint32_t i = 0; i < records->wide_count; i++)
    clock_release(heap, &records->wide[i].clock);
  heap_give(heap, records->records, released_size(records->capacity));
  heap_give(heap, records, sizeof *records);
}

static RecordSet *make_records(Heap *heap, uint32_t capacity) {
  RecordSet *records = heap_take_cleared(heap, sizeof *records);
  atomic_init(&records->references, 1);
  records->capacity = capacity;
  records->records = heap_take(heap, released_size(capacity));
  return records;
}

static void copy_record(Record *into, const Record *from) {
  *into = *from;
  clock_copy(&into->clock, &from->clock);
}

// A set that nobody else holds, with room for one more.
static RecordSet *make_own(Heap *heap, RecordSet *records) {
  enum { FIRST_CAPACITY = 2 };
  if (!records)
    return make_records(heap, FIRST_CAPACITY);
  if (atomic_load(&records->references) == 1 && records->count < records->capacity)
    return records;
  uint32_t capacity = records->capacity;
  RecordSet *copy = make_records(heap, records->count == capacity ? 2 * capacity : capacity);
  copy->count = records->count;
  copy->wide_count = records->wide_count;
  copy->has_narrow = records->has_narrow;
  for (uint32_t i = 0; i < records->count; i++)
    copy_record(&copy->records[i], &records->records[i]);
  for (uint32_t i = 0; i < records->wide_count; i++)
    copy_record(&copy->wide[i], &records->wide[i]);
  released_drop(heap, records);
  return copy;
}

// First record that is not before the block and scope.
static uint32_t find(const RecordSet *records, uint32_t block, Scope scope) {
  uint32_t low = 0, high = records->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const Record *record = &records->records[middle];
    if (record->block < block || (record->block == block && record->scope < scope))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add_narrow(Race *race, RecordSet *records, uint32_t block, Scope scope,
                       const Clock *clock) {
  uint32_t i = find(records, block, scope);
  Record *record = &records->records[i];
  if (i < records->count && record->block == block && record->scope == scope) {
    clock_learn(race, &record->clock, clock);
    return;
  }
  memmove(record + 1, record, (records->count - i) * sizeof *record);
  *record = (Record){.block = block, .scope = scope};
  clock_copy(&record->clock, clock);
  records->count++;
}

static bool is_same_domain(const Race *race, const Record *record, uint32_t block, Scope scope) {
  const Grid *a = &race->program->grids[block_grid(race, record->block)];
  const Grid *b = &race->program->grids[block_grid(race, block)];
  return record->scope == scope && a->is_host == b->is_host && a->gpu == b->gpu &&
         a->domain == b->domain;
}

static void add_wide(Race *race, RecordSet *records, uint32_t block, Scope scope,
                     const Clock *clock) {
  uint32_t i = 0;
  while (i < records->wide_count && !is_same_domain(race, &records->wide[i], block, scope))
    i++;
  if (i == MOST_WIDE) {
    records->has_narrow = true; // more devices than that: every reader goes through all
    return;
  }
  if (i == records->wide_count)
    records->wide[records->wide_count++] = (Record){.block = block, .scope = scope};
  clock_learn_elsewhere(race, &records->wide[i].clock, clock);
}

void released_add(Race *race, RecordSet **records, uint32_t block, Scope scope,
                  const Clock *clock) {
  *records = make_own(&race->heap, *records);
  add_narrow(race, *records, block, scope, clock);
  if (scope >= SCOPE_GPU)
    add_wide(race, *records, block, scope, clock);
  else
    (*records)->has_narrow = true;
}

static const Record *find_record(const RecordSet *records, uint32_t block, Scope scope) {
  uint32_t i = find(records, block, scope);
  const Record *record = &records->records[i];
  return i < records->count && record->block == block && record->scope == scope ? record : NULL;
}

static bool covers(const Record *own, const Record *record) {
  for (uint32_t part = 0; own && part < CLOCK_PARTS; part++)
    if (!clock_covers(own->clock.part[part], record->clock.part[part]))
      return false;
  return own && own->clock.fences == record->clock.fences &&
         own->clock.observed == record->clock.observed;
}

static bool has_record(const RecordSet *records, const Record *record) {
  return covers(find_record(records, record->block, record->scope), record) ||
         covers(find_record(records, ANY_BLOCK, record->scope), record);
}

static bool has_all(const RecordSet *records, const RecordSet *others) {
  for (uint32_t i = 0; i < others->count; i++)
    if (!has_record(records, &others->records[i]))
      return false;
  return true;
}

// Of many blocks of one device only what their device knows is kept: fences of block scope, which
// would be ordered behind wider ones of their own block, are then taken as unordered.
static void collapse(Race *race, RecordSet **records) {
  enum { MANY_RECORDS = 16 };
  RecordSet *old = *records, *made = NULL;
  if (!race->is_one_device || old->has_narrow || old->count < MANY_RECORDS)
    return;
  for (uint32_t i = 0; i < old->wide_count; i++)
    released_add(race, &made, ANY_BLOCK, old->wide[i].scope, &old->wide[i].clock);
  released_drop(&race->heap, old);
  *records = made;
}

void released_join(Race *race, RecordSet **records, RecordSet *added) {
  if (!added || *records == added)
    return;
  if (*records && has_all(*records, added))
    return;
  if (!*records || has_all(added, *records)) {
    released_drop(&race->heap, *records);
    *records = released_keep(added);
    return;
  }
  for (uint32_t i = 0; i < added->count; i++)
    released_add(race, records, added->records[i].block, added->records[i].scope,
                 &added->records[i].clock);
  collapse(race, records);
}

static bool acquire_record(Race *race, const Block *block, Warp *warp, uint32_t lanes,
                           const Record *record, Scope scope, bool is_elsewhere) {
  if (!scopes_are_mutual(race, record->scope, record->block, scope, block->number))
    return false;
  warp_learn(race, warp, lanes, &record->clock, is_elsewhere);
  return true;
}

bool released_acquire(Race *race, const Block *block, Warp *warp, uint32_t lanes,
                      const RecordSet *records, Scope scope) {
  bool is_wide = scope >= SCOPE_GPU && !records->has_narrow, is_all = true;
  for (uint32_t i = 0; is_wide && i < records->wide_count; i++)
    is_all &= acquire_record(race, block, warp, lanes, &records->wide[i], scope, true);
  uint32_t first = is_wide ? find(records, block->number, SCOPE_NONE) : 0;
  for (uint32_t i = first; i < records->count; i++) {
    const Record *record = &records->records[i];
    if (is_wide && record->block != block->number)
      break;
    is_all &=
        acquire_record(race, block, warp, lanes, record, scope, record->block != block->number);
  }
  return is_all;
}
