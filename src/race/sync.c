#include "race/sync.h"

#include "base/bits.h"

#include <string.h>

// --- locations

Location *sync_find(const Place *place) {
  Page *page = shadow_page(place->shadow, place->address);
  if (!page)
    return NULL;
  Cells cells = page_cells(page);
  uint32_t word = word_of(place->address);
  if (word >= page->words || !word_has_list(&cells, word))
    return NULL;
  for (Location *location = word_list(&cells, word)->location; location; location = location->next)
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

RecordSet *sync_observe(Race *race, const Block *block, const Place *place, Scope scope) {
  const Location *location = sync_find(place);
  if (!location || !location->records ||
      !scopes_are_mutual(race, scope, block->number, location->writer_scope,
                         location->writer >> SLOT_BITS))
    return NULL;
  return released_keep(location->records);
}

static Sync *get_sync(Race *race, Warp *warp) {
  if (!warp->sync)
    warp->sync = heap_take_cleared(&race->heap, sizeof *warp->sync);
  return warp->sync;
}

// Makes room for one more item.
static void *grow(Heap *heap, void *items, uint32_t count, uint32_t *capacity, size_t size) {
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

// A lane that polls takes the same records again and again.
static bool is_pending(const Sync *sync, const Pending *pending) {
  for (uint32_t i = 0; i < sync->pending_count; i++) {
    const Pending *other = &sync->pending[i];
    if (other->lane == pending->lane && other->records == pending->records &&
        other->address == pending->address && other->owner == pending->owner &&
        other->is_for_fences >= pending->is_for_fences)
      return true;
  }
  return false;
}

void sync_pend(Race *race, Warp *warp, const Pending *pending) {
  Sync *sync = get_sync(race, warp);
  if (is_pending(sync, pending))
    return;
  sync->pending = grow(&race->heap, sync->pending, sync->pending_count, &sync->pending_capacity,
                       sizeof *sync->pending);
  sync->pending[sync->pending_count++] = *pending;
  released_keep(pending->records);
}

// Earlier reads of the location by the lane end in this acquire, too.
static void acquire_pending(Race *race, const Block *block, Warp *warp, uint32_t lane,
                            const Place *place, Scope scope) {
  const Sync *sync = warp->sync;
  for (uint32_t i = 0; sync && i < sync->pending_count; i++)
    if (sync->pending[i].lane == lane && sync->pending[i].owner == place->owner &&
        sync->pending[i].address == place->address)
      released_acquire(race, block, warp, 1u << lane, sync->pending[i].records, scope);
}

void sync_read(Race *race, const EmuWarp *emu, uint32_t lane, const Place *place,
               const EmuAccess *access, RecordSet *records) {
  const Block *block = block_of(emu);
  Warp *warp = warp_of(emu);
  bool is_all = false;
  if (sem_is_acquire(access->sem)) {
    if (!race->options.is_cuda)
      acquire_pending(race, block, warp, lane, place, access->scope);
    if (records)
      is_all = released_acquire(race, block, warp, 1u << lane, records, access->scope);
  }
  if (!records || is_all)
    return;
  bool is_for_fences = access->kind == EMU_READ || access->has_result || race->options.is_cuda;
  sync_pend(race, warp,
            &(Pending){.lane = lane,
                       .is_for_fences = is_for_fences,
                       .owner = place->owner,
                       .address = place->address,
                       .records = records});
}

// --- strong writes

void sync_add_heads(Race *race, const EmuWarp *emu, uint32_t lane, Sem sem, Scope scope,
                    RecordSet **records) {
  const Block *block = block_of(emu);
  Warp *warp = warp_of(emu);
  Clock clock;
  if (sem_is_release(sem)) {
    group_export(race, block, emu->warp, warp_group(warp, lane), 1u << lane, warp->now, &clock);
    warp_add_copies(race, block, emu->warp, 1u << lane, &clock);
    released_add(race, records, block->number, scope, &clock);
    clock_release(&race->heap, &clock);
  }
  const Sync *sync = warp->sync;
  for (uint32_t i = 0; sync && i < sync->head_count; i++) {
    const Head *head = &sync->heads[i];
    if (!(head->lanes >> lane & 1))
      continue;
    group_export(race, block, emu->warp, &head->known, 1u << lane, head->time, &clock);
    released_add(race, records, block->number, head->scope, &clock);
    clock_release(&race->heap, &clock);
  }
}

// Release writes of the thread to the location are heads of its later strong writes there.
static void add_own_heads(Race *race, const Location *location, uint32_t thread,
                          RecordSet **records) {
  for (uint32_t i = 0; i < location->head_count; i++)
    if (location->heads[i].thread == thread)
      released_add(race, records, thread >> SLOT_BITS, location->heads[i].scope,
                   &location->heads[i].clock);
}

static void keep_own_head(Race *race, const Block *block, const EmuWarp *emu, uint32_t lane,
                          Location *location, Scope scope) {
  uint32_t thread = thread_number(block, emu->warp << 5 | lane), i = 0;
  Clock clock;
  while (i < location->head_count &&
         (location->heads[i].thread != thread || location->heads[i].scope != scope))
    i++;
  if (i == location->head_count) {
    location->heads = grow(&race->heap, location->heads, location->head_count,
                           &location->head_capacity, sizeof *location->heads);
    location->heads[location->head_count++] = (OwnHead){.thread = thread, .scope = scope};
  } else {
    clock_release(&race->heap, &location->heads[i].clock);
  }
  const Warp *warp = warp_of(emu);
  group_export(race, block, emu->warp, warp_group(warp, lane), 1u << lane, warp->now, &clock);
  warp_add_copies(race, block, emu->warp, 1u << lane, &clock);
  location->heads[i].clock = clock;
}

void sync_write(Race *race, const EmuWarp *emu, uint32_t lane, const Place *place, Sem sem,
                Scope scope, RecordSet *kept) {
  const Block *block = block_of(emu);
  uint32_t thread = thread_number(block, emu->warp << 5 | lane);
  Location *location = sync_find(place);
  RecordSet *records = kept;
  if (location && !race->options.is_cuda)
    add_own_heads(race, location, thread, &records);
  sync_add_heads(race, emu, lane, sem, scope, &records);
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
  if (sem_is_release(sem) && !race->options.is_cuda)
    keep_own_head(race, block, emu, lane, location, scope);
}

// --- fences

static void acquire_by_fence(Race *race, const EmuWarp *emu, Scope scope) {
  Warp *warp = warp_of(emu);
  Sync *sync = warp->sync;
  uint32_t kept = 0;
  for (uint32_t i = 0; sync && i < sync->pending_count; i++) {
    Pending *pending = &sync->pending[i];
    bool is_done =
        (emu->lanes >> pending->lane & 1) && pending->is_for_fences &&
        released_acquire(race, block_of(emu), warp, 1u << pending->lane, pending->records, scope);
    if (is_done)
      released_drop(&race->heap, pending->records);
    else
      sync->pending[kept++] = *pending;
  }
  if (sync)
    sync->pending_count = kept;
  warp->fenced = warp->now;
}

// Orders of fence.sc are those of the run. Two of them are ordered if each is in the other's scope,
// that is if both are in one domain of the narrower scope. For each domain there are two clocks:
// what fences of just its scope knew (`exact`), and of at least its scope (`wide`).
typedef struct Domain {
  Clock *exact, *wide;
} Domain;

static Domain domain_of(Race *race, Block *block, Scope scope) {
  Cluster *cluster;
  Clock *pair;
  switch (scope) {
  case SCOPE_CTA:
    if (!block->fence_order)
      block->fence_order = heap_take_cleared(&race->heap, 2 * sizeof(Clock));
    return (Domain){&block->fence_order[0], &block->fence_order[1]};
  case SCOPE_CLUSTER:
    cluster = block->emu->cluster_size > 1 ? cluster_find(race, block->emu->cluster) : NULL;
    return cluster ? (Domain){&cluster->exact, &cluster->wide} : (Domain){NULL, NULL};
  case SCOPE_GPU:
    if (block->emu->is_host)
      return (Domain){NULL, NULL};
    pair = &race->fence_order[2 * (1 + block->emu->gpu)];
    return (Domain){&pair[0], &pair[1]};
  default:
    return (Domain){&race->fence_order[0], &race->fence_order[1]};
  }
}

// A scope that contains only the block is that of the block.
static Scope proper_scope(const Block *block, Scope scope) {
  if ((scope == SCOPE_CLUSTER && block->emu->cluster_size <= 1) ||
      (scope < SCOPE_SYS && block->emu->is_host))
    return SCOPE_CTA;
  return scope;
}

static void order_fence(Race *race, const EmuWarp *emu, Scope given) {
  Block *block = block_of(emu);
  Warp *warp = warp_of(emu);
  Scope scope = proper_scope(block, given);
  spin_lock(&race->grid_lock);
  for (Scope level = SCOPE_CTA; level < scope; level++) {
    Domain domain = domain_of(race, block, level);
    if (domain.exact)
      warp_learn(race, warp, emu->lanes, domain.exact, level != SCOPE_CTA);
  }
  warp_learn(race, warp, emu->lanes, domain_of(race, block, scope).wide, scope != SCOPE_CTA);
  WARP_GROUPS(group, warp, emu->lanes) {
    Clock clock;
    group_export(race, block, emu->warp, group, group->lanes & emu->lanes, warp->now, &clock);
    warp_add_copies(race, block, emu->warp, group->lanes & emu->lanes, &clock);
    clock_learn(&race->heap, domain_of(race, block, scope).exact, &clock);
    for (Scope level = SCOPE_CTA; level <= scope; level++) {
      Domain domain = domain_of(race, block, level);
      if (domain.wide)
        clock_learn(&race->heap, domain.wide, &clock);
    }
    clock_release(&race->heap, &clock);
  }
  spin_unlock(&race->grid_lock);
}

static void drop_head(Race *race, Sync *sync, uint32_t i) {
  clock_release(&race->heap, &sync->heads[i].known.clock);
  sync->heads[i] = sync->heads[--sync->head_count];
}

// A later fence of at least the scope makes an earlier one needless.
static void replace_heads(Race *race, Sync *sync, uint32_t lanes, Scope scope) {
  for (uint32_t i = sync->head_count; i-- > 0;) {
    if (sync->heads[i].scope > scope)
      continue;
    sync->heads[i].lanes &= ~lanes;
    if (!sync->heads[i].lanes)
      drop_head(race, sync, i);
  }
}

static void add_head(Race *race, const EmuWarp *emu, uint32_t lanes, Scope scope,
                     const Group *group) {
  Sync *sync = warp_of(emu)->sync;
  sync->heads =
      grow(&race->heap, sync->heads, sync->head_count, &sync->head_capacity, sizeof *sync->heads);
  Head *head = &sync->heads[sync->head_count++];
  *head = (Head){.lanes = lanes, .scope = scope, .time = warp_of(emu)->now, .known = *group};
  clock_copy(&head->known.clock, &group->clock);
  warp_add_copies(race, block_of(emu), emu->warp, lanes, &head->known.clock);
}

// Lanes have one head together unless each knows of copies of its own.
static void release_by_fence(Race *race, const EmuWarp *emu, Scope scope) {
  Warp *warp = warp_of(emu);
  replace_heads(race, get_sync(race, warp), emu->lanes, scope);
  WARP_GROUPS(group, warp, emu->lanes) {
    uint32_t lanes = group->lanes & emu->lanes;
    if (!warp->copies) {
      add_head(race, emu, lanes, scope, group);
      continue;
    }
    for (; lanes; lanes &= lanes - 1)
      add_head(race, emu, lanes & -lanes, scope, group);
  }
}

void sync_fence(Race *race, const EmuWarp *emu, Sem sem, Scope scope) {
  if (sem_is_acquire(sem))
    acquire_by_fence(race, emu, scope);
  if (sem == SEM_SC && !race->options.is_cuda)
    order_fence(race, emu, scope);
  if (sem_is_release(sem))
    release_by_fence(race, emu, scope);
  warp_merge(&race->heap, warp_of(emu));
  warp_tick(race, warp_of(emu));
}

void sync_fence_heads(Race *race, const EmuWarp *emu, Scope least, Clock *into) {
  const Sync *sync = warp_of(emu)->sync;
  for (uint32_t i = 0; sync && i < sync->head_count; i++) {
    const Head *head = &sync->heads[i];
    Clock clock;
    if (!(head->lanes & emu->lanes) || head->scope < least)
      continue;
    group_export(race, block_of(emu), emu->warp, &head->known, head->lanes & emu->lanes, head->time,
                 &clock);
    clock_learn(&race->heap, into, &clock);
    clock_release(&race->heap, &clock);
  }
}

// --- ends

void sync_forget_lanes(Race *race, Warp *warp, uint32_t lanes) {
  Sync *sync = warp->sync;
  uint32_t kept = 0;
  if (!sync)
    return;
  replace_heads(race, sync, lanes, SCOPE_SYS);
  for (uint32_t i = 0; i < sync->pending_count; i++)
    if (lanes >> sync->pending[i].lane & 1)
      released_drop(&race->heap, sync->pending[i].records);
    else
      sync->pending[kept++] = sync->pending[i];
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
  for (uint32_t i = 0; i < location->head_count; i++)
    clock_release(&race->heap, &location->heads[i].clock);
  heap_give(&race->heap, location->heads, location->head_capacity * sizeof *location->heads);
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
      while (list && list->location) {
        Location *location = list->location;
        list->location = location->next;
        release_location(race, location);
      }
    }
  }
}
