// What writes release: records of heads of release patterns.
//
// A reader takes those records whose head is morally strong with its acquire. Records of one block
// and scope are one. A reader that sees its whole device need not go through all blocks: for it the
// records of device and system scope are joined by device (`wide`), and of the others only those of
// its block and cluster can be for it.
#include "race/record_map.h"
#include "race/sync.h"

#include <string.h>

RecordSet *released_keep(RecordSet *records) {
  if (records)
    atomic_fetch_add_explicit(&records->references, 1, memory_order_relaxed);
  return records;
}

void released_drop(Heap *heap, RecordSet *records) {
  if (!records || atomic_fetch_sub_explicit(&records->references, 1, memory_order_acq_rel) > 1)
    return;
  record_map_drop(heap, records->map);
  record_map_drop(heap, records->wide);
  heap_give(heap, records, sizeof *records);
}

// The version behind that of the set. Sets of places go on in one lineage, whoever takes from them.
static uint64_t next_version(Race *race, RecordSet *records, bool is_place) {
  if (!records || (records->is_place && !is_place))
    return version_next(race, 0, NULL);
  return version_next(race, records->version, &records->is_old);
}

// A set that nobody else holds.
static RecordSet *make_own(Race *race, RecordSet *records, bool is_place) {
  Heap *heap = &race->heap;
  if (records && atomic_load(&records->references) == 1) {
    records->version = next_version(race, records, true);
    records->is_place = is_place;
    atomic_store(&records->is_old, false);
    return records;
  }
  RecordSet *copy = heap_take_cleared(heap, sizeof *copy);
  atomic_init(&copy->references, 1);
  copy->version = next_version(race, records, is_place);
  copy->is_place = is_place;
  if (records) {
    copy->map = record_map_keep(records->map);
    copy->wide = record_map_keep(records->wide);
  }
  released_drop(heap, records);
  return copy;
}

// The first block of its device; host threads are nobody's device.
static uint32_t device_block(const Race *race, uint32_t block) {
  const Grid *own = &race->program->grids[block_grid(race, block)], *grid = race->program->grids;
  if (own->is_host)
    return block;
  while (!race->is_one_device &&
         (grid->is_host || grid->gpu != own->gpu || grid->domain != own->domain))
    grid++;
  return grid->first_block;
}

static void add(Race *race, RecordSet **records, uint32_t block, Scope scope, const Clock *clock,
                bool is_place) {
  *records = make_own(race, *records, is_place);
  record_map_add(race, &(*records)->map, block, scope, clock);
  if (scope >= SCOPE_GPU)
    record_map_add(race, &(*records)->wide, device_block(race, block), scope, clock);
}

void released_add(Race *race, RecordSet **records, uint32_t block, Scope scope,
                  const Clock *clock) {
  add(race, records, block, scope, clock, false);
}

const Record *released_first(const RecordSet *records) {
  return record_map_from(records->map, 0, SCOPE_CTA);
}

const Record *released_next(const RecordSet *records, const Record *record) {
  return record_map_next(records->map, record);
}

static uint32_t count_of(const RecordSet *records) {
  return record_map_counts(records->map).all;
}

static bool has_any(const RecordSet *records) {
  return record_map_from(records->map, ANY_BLOCK, SCOPE_CTA) != NULL;
}

bool released_is_many(const RecordSet *records) {
  return count_of(records) >= MANY_RECORDS || has_any(records);
}

bool released_is_wide(const Race *race, const RecordSet *records) {
  return race->is_one_device && !record_map_counts(records->map).narrow;
}

// --- joining

static bool covers(const Record *own, const Record *record) {
  for (uint32_t part = 0; own && part < CLOCK_PARTS; part++)
    if (!clock_covers(own->clock.part[part], record->clock.part[part]))
      return false;
  return own && own->clock.fences == record->clock.fences &&
         own->clock.observed == record->clock.observed && own->clock.seen == record->clock.seen &&
         own->clock.restricted == record->clock.restricted;
}

static bool has_all(const RecordSet *records, const RecordSet *others) {
  const Record *record = released_first(others);
  for (; record; record = released_next(others, record))
    if (!covers(record_map_find(records->map, record->block, record->scope), record) &&
        !covers(record_map_find(records->map, ANY_BLOCK, record->scope), record))
      return false;
  return true;
}

// Does one record of each scope stand for all blocks, and no others are there?
static bool is_collapsed(const RecordSet *records) {
  const Record *first = released_first(records);
  return first && first->block == ANY_BLOCK;
}

// Adds a record of a wide scope to a collapsed or an empty set.
static void add_for_all(Race *race, RecordSet **records, const Record *record, bool is_place) {
  *records = make_own(race, *records, is_place);
  record_map_add(race, &(*records)->map, ANY_BLOCK, record->scope, &record->clock);
  record_map_drop(&race->heap, (*records)->wide);
  (*records)->wide = record_map_keep((*records)->map);
}

// Of many blocks of one device only what their device knows is kept: fences of block scope, which
// would be ordered behind wider ones of their own block, are then taken as unordered.
static void collapse(Race *race, RecordSet **records, bool is_place) {
  RecordSet *old = *records, *made = NULL;
  if (!released_is_wide(race, old) || !released_is_many(old) || is_collapsed(old))
    return;
  const Record *record = record_map_from(old->wide, 0, SCOPE_CTA);
  for (; record; record = record_map_next(old->wide, record))
    add_for_all(race, &made, record, is_place);
  made->version = next_version(race, old, is_place);
  released_drop(&race->heap, old);
  *records = made;
}

// Where one record stands for those of many blocks, theirs are not kept beside it.
static void join_collapsed(Race *race, RecordSet **records, RecordSet *added, bool is_place) {
  if (has_all(*records, added))
    return;
  if (has_all(added, *records)) {
    released_drop(&race->heap, *records);
    *records = released_keep(added);
    return;
  }
  bool are_wide = released_is_wide(race, *records) && released_is_wide(race, added);
  RecordSet *old = NULL;
  if (are_wide && !is_collapsed(*records) && is_collapsed(added)) {
    old = *records;
    *records = released_keep(added);
    added = old;
  }
  const Record *record = released_first(added);
  are_wide = are_wide && is_collapsed(*records);
  for (; record; record = released_next(added, record))
    if (are_wide)
      add_for_all(race, records, record, is_place);
    else
      add(race, records, record->block, record->scope, &record->clock, is_place);
  released_drop(&race->heap, old);
}

static void join(Race *race, RecordSet **records, RecordSet *added, bool is_place) {
  Heap *heap = &race->heap;
  RecordMap *joined = record_map_keep((*records)->map);
  record_map_join(race, &joined, added->map);
  if (joined == added->map && joined != (*records)->map) {
    released_drop(heap, *records);
    *records = released_keep(added);
  } else if (joined != (*records)->map) {
    *records = make_own(race, *records, is_place);
    record_map_drop(heap, (*records)->map);
    (*records)->map = record_map_keep(joined);
    record_map_join(race, &(*records)->wide, added->wide);
  }
  record_map_drop(heap, joined);
}

// Is it known from versions that the set has all of the other one?
static bool is_included(const RecordSet *records, RecordSet *other) {
  bool is_in = version_covers(records->version, other->version);
  for (uint32_t i = 0; i < 2; i++)
    is_in |= version_covers(records->version, atomic_load(&other->included[i]));
  return is_in;
}

static void note_included(const RecordSet *records, RecordSet *other) {
  if (records == other || is_included(records, other))
    return;
  uint64_t lineage = records->version >> VERSION_STEPS, first = atomic_load(&other->included[0]);
  if (first >> VERSION_STEPS != lineage)
    atomic_store(&other->included[1], first);
  atomic_store(&other->included[0], records->version);
}

static bool find_join(Race *race, SetMemo *memo, RecordSet **records, RecordSet *added) {
  bool is_found = false;
  spin_lock(&race->memo_lock);
  if (memo->into == *records && memo->other == added) {
    released_drop(&race->heap, *records);
    *records = released_keep(memo->joined);
    is_found = true;
  }
  spin_unlock(&race->memo_lock);
  return is_found;
}

// Takes over the reference of `into`.
static void keep_join(Race *race, SetMemo *memo, RecordSet *into, RecordSet *other,
                      RecordSet *joined) {
  SetMemo made = {into, released_keep(other), released_keep(joined)};
  spin_lock(&race->memo_lock);
  SetMemo old = *memo;
  *memo = made;
  spin_unlock(&race->memo_lock);
  released_drop(&race->heap, old.into);
  released_drop(&race->heap, old.other);
  released_drop(&race->heap, old.joined);
}

static SetMemo *memo_of(Race *race, const RecordSet *records, const RecordSet *added) {
  uint64_t hash = (records->version * 3 ^ added->version) * 0x9e3779b97f4a7c15u;
  return &race->set_memos[(hash >> 40) % MEMOS];
}

static void join_any(Race *race, RecordSet **records, RecordSet *added, bool is_place) {
  if (!added || *records == added || (*records && is_included(*records, added)))
    return;
  if (!*records || is_included(added, *records)) {
    released_keep(added);
    released_drop(&race->heap, *records);
    *records = added;
    return;
  }
  RecordSet *old = *records;
  SetMemo *memo = memo_of(race, old, added);
  if (find_join(race, memo, records, added))
    return;
  released_keep(old);
  if (has_any(*records) || has_any(added))
    join_collapsed(race, records, added, is_place);
  else
    join(race, records, added, is_place);
  collapse(race, records, is_place);
  note_included(*records, added);
  note_included(*records, old);
  keep_join(race, memo, old, added, *records);
}

void released_join(Race *race, RecordSet **records, RecordSet *added) {
  join_any(race, records, added, false);
}

void released_gather(Race *race, RecordSet **records, RecordSet *added) {
  join_any(race, records, added, true);
}

// --- acquiring

static bool acquire_record(Race *race, const Block *block, Warp *warp, uint32_t lanes,
                           const Record *record, Scope scope, bool is_elsewhere) {
  if (!scopes_are_mutual(race, record->scope, record->block, scope, block->number))
    return false;
  warp_learn(race, warp, lanes, &record->clock, is_elsewhere);
  return true;
}

// Records of the reader's block, or of all blocks. How many of them are morally strong with it, and
// how many of these are of a narrow scope?
static RecordCounts acquire_records(Race *race, const Block *block, Warp *warp, uint32_t lanes,
                                    const RecordMap *map, Scope scope, bool is_own_block) {
  RecordCounts taken = {0};
  const Record *record = record_map_from(map, is_own_block ? block->number : 0, SCOPE_CTA);
  for (; record && (!is_own_block || record->block == block->number);
       record = record_map_next(map, record)) {
    bool is_elsewhere = record->block != block->number;
    if (!acquire_record(race, block, warp, lanes, record, scope, is_elsewhere))
      continue;
    taken.all++;
    taken.narrow += record->scope < SCOPE_GPU;
  }
  return taken;
}

bool released_acquire(Race *race, const Block *block, Warp *warp, uint32_t lanes,
                      const RecordSet *records, Scope scope) {
  RecordCounts counts = record_map_counts(records->map);
  bool is_wide = scope >= SCOPE_GPU && !counts.cluster, is_all = true;
  const Record *record = is_wide ? record_map_from(records->wide, 0, SCOPE_CTA) : NULL;
  for (; record; record = record_map_next(records->wide, record))
    is_all &= acquire_record(race, block, warp, lanes, record, scope, true);
  RecordCounts taken =
      acquire_records(race, block, warp, lanes, records->map, scope, is_wide || scope == SCOPE_CTA);
  return is_wide ? is_all && taken.narrow == counts.narrow : taken.all == counts.all;
}
