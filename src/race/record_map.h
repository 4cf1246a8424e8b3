// Records by block and scope. A map is a binary tree over the bits of the keys (Okasaki and Gill,
// "Fast Mergeable Integer Maps") whose nodes never change once they are shared: maps that have a
// part in common share it, and joining equal parts costs nothing, so that a counter which n blocks
// raise costs log n for each of them, not n. Internal to race.
#ifndef WARPSAN_RACE_RECORD_MAP_H
#define WARPSAN_RACE_RECORD_MAP_H

#include "race/state.h"

typedef struct RecordCounts {
  uint32_t all;
  uint32_t narrow;  // of less than device scope
  uint32_t cluster; // of cluster scope
} RecordCounts;

typedef struct RecordMap RecordMap; // NULL: empty

RecordMap *record_map_keep(RecordMap *map);
void record_map_drop(Heap *heap, RecordMap *map);
RecordCounts record_map_counts(const RecordMap *map);
// Joins into the record of the block and scope, which is made if it is not there. *map is an own
// reference; `clock` is copied.
void record_map_add(Race *race, RecordMap **map, uint32_t block, Scope scope, const Clock *clock);
// All records of both; *map stays the same if it has all of `added`, and becomes `added` if that
// has all.
void record_map_join(Race *race, RecordMap **map, RecordMap *added);
const Record *record_map_find(const RecordMap *map, uint32_t block, Scope scope);
// The first record of this block and scope or, in their order, behind; NULL: there is none.
const Record *record_map_from(const RecordMap *map, uint32_t block, Scope scope);
// The one behind it.
const Record *record_map_next(const RecordMap *map, const Record *record);

#endif
