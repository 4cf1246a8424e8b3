#include "race/sync.h"

#include "base/bits.h"

#include <string.h>

// --- locations

WordList *sync_list(const Place *place) {
  Page *page = place->owner ? shadow_page(place->shadow, place->address)
                            : shadow_page_of_rows(place->shadow, place->address);
  uint32_t word = word_of(place->address);
  if (!page || word >= page->words || !atomic_load_explicit(&page->cells, memory_order_acquire))
    return NULL;
  Cells cells = page_cells(page);
  return word_has_list(&cells, word) ? word_list(&cells, word) : NULL;
}

Location *sync_find(const Place *place) {
  const WordList *list = sync_list(place);
  for (Location *location = list ? list->location : NULL; location; location = location->next)
    if (location->address == place->address && location->size == place->size)
      return location;
  return NULL;
}

static Location *get_location(Race *race, const EmuWarp *warp, const Place *place) {
  Location *location = sync_find(place);
  Page *page = shadow_page(place->shadow, place->address);
  if (location || !page || word_of(place->address) >= page->words)
    return location;
  Cells cells = page_cells(page);
  uint32_t word = word_of(place->address);
  WordList *list = word_make_list(&race->heap, &cells, word);
  location = heap_take_cleared(&race->heap, sizeof *location);
  location->next = list->location;
  location->address = place->address;
  location->size = place->size;
  list->location = location;
  for (uint32_t i = 1; i < place->size / WORD_BYTES && word + i < page->words; i++)
    word_make_list(&race->heap, &cells, word + i)->continues_location = true;
  if (place->owner)
    ((Block *)place->owner->watched)->has_locations = true;
  (void)warp;
  return location;
}

static void end_records(Race *race, Location *location) {
  released_drop(&race->heap, location->records);
  location->records = NULL;
}

void sync_overwrite(Race *race, Cells *cells, uint32_t word) {
  const WordList *list = word_list(cells, word);
  for (Location *location = list->location; location; location = location->next)
    end_records(race, location);
  if (!list->continues_location)
    return;
  // An access of 16 bytes begins up to three words before.
  for (uint32_t back = 1; back <= 3 && back <= word; back++) {
    if (!word_has_list(cells, word - back))
      continue;
    Location *location = word_list(cells, word - back)->location;
    for (; location; location = location->next)
      if (location->size > back * WORD_BYTES)
        end_records(race, location);
  }
}

// --- strong reads

static bool is_part_of_one(const Place *place, const Location *location) {
  return place->size <= WORD_BYTES && location->size <= WORD_BYTES &&
         place->address < location->address + location->size &&
         location->address < place->address + place->size;
}

const Location *sync_find_released(const Place *place, bool is_volatile) {
  const Location *location = sync_find(place);
  const WordList *list = sync_list(place);
  if ((location && location->records) || is_volatile || !list)
    return location;
  if (list->newest_info >> INFO_VOLATILE & 1)
    return location;
  // Whatever is written in the word ends all records of it but its own.
  for (const Location *other = list->location; other; other = other->next)
    if (other->records && is_part_of_one(place, other))
      return other;
  return location;
}

RecordSet *sync_observe(Race *race, const Block *block, const Location *location, Scope scope) {
  if (!location || !location->records ||
      !scopes_are_mutual(race, scope, block->number, location->writer_scope,
                         location->writer >> SLOT_BITS))
    return NULL;
  return released_keep(location->records);
}

Sync *sync_of(Race *race, Warp *warp) {
  if (!warp->sync)
    warp->sync = heap_take_cleared(&race->heap, sizeof *warp->sync);
  return warp->sync;
}

void *sync_grow(Heap *heap, void *items, uint32_t count, uint32_t *capacity, size_t size) {
  enum { FIRST_CAPACITY = 4 };
  if (count < *capacity)
    return items;
  uint32_t grown = *capacity ? 2 * *capacity : FIRST_CAPACITY;
  void *copy = heap_take(heap, grown * size);
  if (count)
    memcpy(copy, items, count * size);
  heap_give(heap, items, *capacity * size);
  *capacity = grown;
  return copy;
}

// Lanes that poll take the same records again and again, or later versions of them, which have all
// of those before.
static void replace_pending(Pending *old, const Pending *pending) {
  if (old->address == pending->address && old->owner == pending->owner &&
      old->is_for_fences <= pending->is_for_fences &&
      (old->records == pending->records ||
       version_covers(pending->records->version, old->records->version)))
    old->lanes &= ~pending->lanes;
}

static bool is_same_pending(const Pending *a, const Pending *b) {
  return a->records == b->records && a->address == b->address && a->owner == b->owner &&
         a->is_for_fences == b->is_for_fences;
}

void sync_pend(Race *race, Warp *warp, const Pending *pending) {
  Sync *sync = sync_of(race, warp);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sync->pending_count; i++)
    if (is_same_pending(&sync->pending[i], pending)) {
      sync->pending[i].lanes |= pending->lanes;
      return;
    }
  for (uint32_t i = 0; i < sync->pending_count; i++) {
    Pending *old = &sync->pending[i];
    replace_pending(old, pending);
    if (old->lanes)
      sync->pending[kept++] = *old;
    else
      released_drop(&race->heap, old->records);
  }
  sync->pending_count = kept;
  sync->pending = sync_grow(&race->heap, sync->pending, sync->pending_count,
                            &sync->pending_capacity, sizeof *sync->pending);
  sync->pending[sync->pending_count++] = *pending;
  released_keep(pending->records);
}

// Earlier reads of the location by the lanes end in this acquire, too.
static void acquire_pending(Race *race, const Block *block, Warp *warp, uint32_t lanes,
                            const Place *place, Scope scope) {
  Sync *sync = warp->sync;
  uint32_t kept = 0;
  for (uint32_t i = 0; sync && i < sync->pending_count; i++) {
    Pending *pending = &sync->pending[i];
    bool is_here = pending->owner == place->owner && pending->address == place->address;
    uint32_t own = is_here ? lanes & pending->lanes : 0;
    if (own && released_acquire(race, block, warp, own, pending->records, scope))
      pending->lanes &= ~own;
    if (pending->lanes)
      sync->pending[kept++] = *pending;
    else
      released_drop(&race->heap, pending->records);
  }
  if (sync)
    sync->pending_count = kept;
}

// Polls find the same again and again.
static bool acquire(Race *race, const Block *block, Warp *warp, uint32_t lanes, RecordSet *records,
                    Scope scope) {
  if (records == warp->taken && scope == warp->taken_scope && !(lanes & ~warp->taken_lanes))
    return true;
  if (!released_acquire(race, block, warp, lanes, records, scope))
    return false;
  released_keep(records);
  released_drop(&race->heap, warp->taken);
  warp->taken = records;
  warp->taken_lanes = lanes;
  warp->taken_scope = scope;
  return true;
}

bool sync_read(Race *race, const EmuWarp *emu, uint32_t lanes, const Place *place,
               const EmuAccess *access, RecordSet *records) {
  const Block *block = block_of(emu);
  Warp *warp = warp_of(emu);
  bool is_all = false;
  if (sem_is_acquire(access->sem)) {
    warp->acquired |= lanes;
    if (!race->options.is_cuda)
      acquire_pending(race, block, warp, lanes, place, access->scope);
    if (records)
      is_all = acquire(race, block, warp, lanes, records, access->scope);
  }
  if (!records || is_all)
    return true;
  bool is_for_fences = access->kind == EMU_READ || access->has_result || race->options.is_cuda;
  sync_pend(race, warp,
            &(Pending){.lanes = lanes,
                       .is_for_fences = is_for_fences,
                       .owner = place->owner,
                       .address = place->address,
                       .records = records});
  return false;
}

// --- strong writes

void head_export(Race *race, const EmuWarp *emu, Head *head, uint32_t lanes, Clock *into) {
  bool is_all = lanes == head->lanes;
  if (is_all && head->exported) {
    clock_copy(into, &head->known.clock);
    into->version = 0;
    clock_drop(&race->heap, into->part[CLOCK_THREADS]);
    into->part[CLOCK_THREADS] = clock_keep(head->exported);
  } else {
    group_export(race, block_of(emu), emu->warp, &head->known, lanes, head->time, into);
    if (is_all)
      head->exported = clock_keep(into->part[CLOCK_THREADS]);
  }
  restricted_release(race, block_of(emu), emu->warp, lanes, head, into);
}

void sync_add_heads(Race *race, const EmuWarp *emu, uint32_t lanes, Sem sem, Scope scope,
                    RecordSet **records) {
  const Block *block = block_of(emu);
  Warp *warp = warp_of(emu);
  Clock clock;
  if (sem_is_release(sem)) {
    group_export(race, block, emu->warp, warp_group(warp, bits_first(lanes)), lanes, warp->now,
                 &clock);
    warp_add_copies(race, block, emu->warp, lanes, &clock);
    released_add(race, records, block->number, scope, &clock);
    clock_release(&race->heap, &clock);
  }
  const Sync *sync = warp->sync;
  for (uint32_t i = 0; sync && i < sync->head_count; i++) {
    Head *head = &sync->heads[i];
    uint32_t own = head->lanes & lanes;
    if (!own)
      continue;
    head_export(race, emu, head, own, &clock);
    released_add(race, records, block->number, head->scope, &clock);
    clock_release(&race->heap, &clock);
  }
}

// Release writes of the thread to the location are heads of its later strong writes there.
static void add_own_heads(Race *race, const Location *location, uint32_t thread,
                          RecordSet **records) {
  for (Scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++) {
    const OwnHead *head = own_head_find(location, thread, scope);
    if (head)
      released_add(race, records, thread >> SLOT_BITS, scope, &head->clock);
  }
}

static void keep_own_head(Race *race, const Block *block, const EmuWarp *emu, uint32_t lane,
                          Location *location, Scope scope) {
  uint32_t thread = thread_number(block, emu->warp << 5 | lane);
  OwnHead *head = own_head_get(&race->heap, location, thread, scope);
  clock_release(&race->heap, &head->clock);
  const Warp *warp = warp_of(emu);
  group_export(race, block, emu->warp, warp_group(warp, lane), 1u << lane, warp->now, &head->clock);
  warp_add_copies(race, block, emu->warp, 1u << lane, &head->clock);
}

void sync_write(Race *race, const EmuWarp *emu, uint32_t lanes, const Place *place, Sem sem,
                Scope scope, RecordSet *kept) {
  const Block *block = block_of(emu);
  uint32_t thread = thread_number(block, emu->warp << 5 | bits_last(lanes));
  Location *location = sync_find(place);
  RecordSet *records = kept;
  bool has_own_heads = !race->options.is_cuda && !(lanes & (lanes - 1));
  if (location && has_own_heads)
    add_own_heads(race, location, thread, &records);
  sync_add_heads(race, emu, lanes, sem, scope, &records);
  if (!records && !location)
    return;
  if (!location)
    location = get_location(race, emu, place);
  if (!location) {
    released_drop(&race->heap, records);
    return;
  }
  end_records(race, location);
  location->records = records;
  location->writer = thread;
  location->writer_scope = scope;
  if (sem_is_release(sem) && has_own_heads)
    keep_own_head(race, block, emu, bits_first(lanes), location, scope);
}

// --- ends

void sync_forget_lanes(Race *race, Warp *warp, uint32_t lanes) {
  Sync *sync = warp->sync;
  uint32_t kept = 0;
  if (!sync)
    return;
  sync_drop_heads(race, sync, lanes, SCOPE_SYS, REACH_ALL);
  for (uint32_t i = 0; i < sync->pending_count; i++) {
    sync->pending[i].lanes &= ~lanes;
    if (sync->pending[i].lanes)
      sync->pending[kept++] = sync->pending[i];
    else
      released_drop(&race->heap, sync->pending[i].records);
  }
  sync->pending_count = kept;
  if (lanes != UINT32_MAX)
    return;
  heap_give(&race->heap, sync->heads, sync->head_capacity * sizeof *sync->heads);
  heap_give(&race->heap, sync->pending, sync->pending_capacity * sizeof *sync->pending);
  heap_give(&race->heap, sync, sizeof *sync);
  warp->sync = NULL;
}

static void release_location(Race *race, Location *location) {
  released_drop(&race->heap, location->records);
  own_heads_release(&race->heap, location);
  heap_give(&race->heap, location, sizeof *location);
}

void sync_release_locations(Race *race, Block *block) {
  if (!block->has_locations)
    return;
  for (uint32_t i = 0; i < block->shadow.page_count; i++) {
    Page *page = block->shadow.pages[i];
    if (!page)
      continue;
    Cells cells = page_cells(page);
    for (uint32_t w = 0; w < page->words; w++) {
      WordList *list = word_has_list(&cells, w) ? word_list(&cells, w) : NULL;
      if (list) {
        released_drop(&race->heap, list->fences_of_writes);
        released_drop(&race->heap, list->fences_of_reads);
      }
      while (list && list->location) {
        Location *location = list->location;
        list->location = location->next;
        release_location(race, location);
      }
    }
  }
}
