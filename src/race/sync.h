// Release and acquire: what strong writes and fences pass on, and what reads and fences take
// (spec B.3, B.4). Internal to race.
#ifndef WARPSAN_RACE_SYNC_H
#define WARPSAN_RACE_SYNC_H

#include "race/access.h"

static inline bool sem_is_release(Sem sem) {
  return sem == SEM_RELEASE || sem == SEM_ACQ_REL || sem == SEM_SC;
}

static inline bool sem_is_acquire(Sem sem) {
  return sem == SEM_ACQUIRE || sem == SEM_ACQ_REL || sem == SEM_SC;
}

// --- records

// So many records of one device, none of a narrow scope, become one that stands for all blocks.
enum { MANY_RECORDS = 16 };

RecordSet *released_keep(RecordSet *records);
void released_drop(Heap *heap, RecordSet *records);
// Adds what a head of the block and scope knows. *records, which may be NULL, owns a reference.
void released_add(Race *race, RecordSet **records, uint32_t block, Scope scope, const Clock *clock);
// Adds all; stays the same set if there is nothing new, and becomes `added` if that has more.
void released_join(Race *race, RecordSet **records, RecordSet *added);
// The same for what all accesses of a place bring.
void released_gather(Race *race, RecordSet **records, RecordSet *added);
// The lanes learn from the heads that are morally strong with their acquire of the scope. True:
// from all of them, so that no later acquire can get more.
bool released_acquire(Race *race, const Block *block, Warp *warp, uint32_t lanes,
                      const RecordSet *records, Scope scope);
// Visits the records in the order of blocks and scopes.
const Record *released_first(const RecordSet *records);
const Record *released_next(const RecordSet *records, const Record *record);
// Are there many of them, or one that stands for many?
bool released_is_many(const RecordSet *records);
// Is every record of the scope of a device or wider, and all threads in one device? Then each of
// them is morally strong with every operation of such a scope.
bool released_is_wide(const Race *race, const RecordSet *records);

// --- strong accesses

// What is remembered of a word that has a list; NULL: it has none. The page need not have cells.
WordList *sync_list(const Place *place);
// The location of a strong access, if a write there has released something; NULL: none.
Location *sync_find(const Place *place);
// That of which a strong read of the place takes what was released: also of another part of the
// aligned word, as compilers mix them in atomics (spec H9).
const Location *sync_find_released(const Place *place, bool is_volatile);
// Takes what the newest write released, if it is morally strong with this read: a reference.
RecordSet *sync_observe(Race *race, const Block *block, const Location *location, Scope scope);
// Of lanes of a group, at one address. The read's acquire, or what a later one may use. Did it get
// all that was released?
bool sync_read(Race *race, const EmuWarp *warp, uint32_t lanes, const Place *place,
               const EmuAccess *access, RecordSet *records);
// A write, which continues what `kept` has if it is that of an atomic; takes over the reference.
void sync_write(Race *race, const EmuWarp *warp, uint32_t lanes, const Place *place, Sem sem,
                Scope scope, RecordSet *kept);
// A write to a word ends what earlier writes there passed on. The word has a list.
void sync_overwrite(Race *race, Cells *cells, uint32_t word);
// Adds the heads of the lanes' release patterns that a relaxed or a release operation ends now.
void sync_add_heads(Race *race, const EmuWarp *warp, uint32_t lanes, Sem sem, Scope scope,
                    RecordSet **records);
// What the lanes of a head knew: *into holds nothing.
void head_export(Race *race, const EmuWarp *warp, Head *head, uint32_t lanes, Clock *into);
// What release fences of at least the scope knew.
void sync_fence_heads(Race *race, const EmuWarp *warp, Scope least, Clock *into);
void sync_pend(Race *race, Warp *warp, const Pending *pending);

// heads.c: what the thread's newest release write of the scope to the location released; NULL:
// there was none.
const OwnHead *own_head_find(const Location *location, uint32_t thread, Scope scope);
// The same, made if it is not there. Valid until the next one is made.
OwnHead *own_head_get(Heap *heap, Location *location, uint32_t thread, Scope scope);
void own_heads_release(Heap *heap, Location *location);

Sync *sync_of(Race *race, Warp *warp);
// Room for one more item.
void *sync_grow(Heap *heap, void *items, uint32_t count, uint32_t *capacity, size_t size);

// --- fence.c

void sync_fence(Race *race, const EmuWarp *warp, Sem sem, Scope scope);
// A strong access learns of the fences before earlier ones there, before it releases what it knows;
// and tells of those before it. The lanes have one address; `place` is theirs.
void sync_learn_fences(Race *race, const EmuWarp *warp, uint32_t lanes, const Place *place,
                       bool is_write);
void sync_tell_fences(Race *race, const EmuWarp *warp, uint32_t lanes, const Place *place,
                      bool is_read, bool is_write);
void sync_drop_heads(Race *race, Sync *sync, uint32_t lanes, Scope scope, FenceReach reach);

// --- restricted.c

FenceReach fence_reach(const Instruction *fence);
// Leaves of what the head of the warp's lanes knew that which its fence orders.
void restricted_release(Race *race, const Block *block, uint32_t warp, uint32_t lanes,
                        const Head *head, Clock *clock);
// The lane's fence orders accesses to shared memory behind what the records tell.
void restricted_acquire(Race *race, const Block *block, Warp *warp, uint32_t lane,
                        const RecordSet *records, Scope scope);
// What is known of accesses to the shared memory of a block; NULL: no more than of all.
const Clock *restricted_find(const Clock *clock, uint32_t block, FenceReach reach);

void sync_forget_lanes(Race *race, Warp *warp, uint32_t lanes);
void sync_release_locations(Race *race, Block *block);

#endif
