// Fences: heads of release patterns, ends of acquire patterns, and the order of those of sequential
// consistency.
//
// That order is a choice of the execution, of which a run shows one. Two accesses race if some
// order of the fences leaves them unordered. So a fence is ordered behind another one only where it
// has to be: if something before it, in base order, communicates with something behind the other
// one - reads what it wrote, or overwrites what it read or wrote. The reverse order would close a
// cycle (Causality, Coherence). Strong accesses are looked at for that; a plain access that
// communicates races itself.
#include "race/weak.h"

#include "base/bits.h"

// --- ends of acquire patterns

static void acquire_for_places(Race *race, const EmuWarp *emu, Scope scope) {
  Warp *warp = warp_of(emu);
  for (uint32_t i = 0; warp->sync && i < warp->sync->pending_count; i++) {
    const Pending *pending = &warp->sync->pending[i];
    uint32_t lanes = pending->is_for_fences ? emu->lanes & pending->lanes : 0;
    for (; lanes; lanes &= lanes - 1)
      restricted_acquire(race, block_of(emu), warp, bits_first(lanes), pending->records, scope);
  }
}

static void acquire_by_fence(Race *race, const EmuWarp *emu, Scope scope) {
  Warp *warp = warp_of(emu);
  Sync *sync = warp->sync;
  uint32_t kept = 0;
  for (uint32_t i = 0; sync && i < sync->pending_count; i++) {
    Pending *pending = &sync->pending[i];
    uint32_t lanes = pending->is_for_fences ? emu->lanes & pending->lanes : 0;
    if (lanes && released_acquire(race, block_of(emu), warp, lanes, pending->records, scope))
      pending->lanes &= ~lanes;
    if (!pending->lanes)
      released_drop(&race->heap, pending->records);
    else
      sync->pending[kept++] = *pending;
  }
  if (sync)
    sync->pending_count = kept;
  warp->fenced = warp->now;
}

// --- the order of fences of sequential consistency

// What is ordered behind the fence is ordered behind those before it, whose records its own covers.
// Only a fence of a narrower scope in the block of one of them might have been ordered behind that
// one alone: records.c gives that up, too, where there are many.
static void drop_fences_before(Race *race, Group *group, Scope scope) {
  const RecordSet *fences = group->clock.fences;
  if (!fences || scope < SCOPE_GPU || !released_is_many(fences) || !released_is_wide(race, fences))
    return;
  released_drop(&race->heap, group->clock.fences);
  group->clock.fences = NULL;
}

// Adds the fence to those that precede what follows it. Its record tells what it knew of accesses;
// a reference to that is returned.
static ClockNode *add_fence(Race *race, const EmuWarp *emu, Group *group, Scope scope) {
  const Block *block = block_of(emu);
  Clock clock;
  group_export(race, block, emu->warp, group, group->lanes, warp_of(emu)->now, &clock);
  warp_add_copies(race, block, emu->warp, group->lanes, &clock);
  released_drop(&race->heap, clock.fences);
  released_drop(&race->heap, clock.observed);
  released_drop(&race->heap, clock.seen);
  clock.fences = clock.observed = clock.seen = NULL;
  drop_fences_before(race, group, scope);
  released_add(race, &group->clock.fences, block->number, scope, &clock);
  ClockNode *exported = clock_keep(clock.part[CLOCK_THREADS]);
  clock_release(&race->heap, &clock);
  return exported;
}

// What a fence is ordered behind is ordered before what follows it, as fences are, too.
static void add_acquired(Race *race, const Block *block, Group *group, RecordSet *observed,
                         Scope scope) {
  if (scope >= SCOPE_GPU && released_is_wide(race, observed)) {
    released_join(race, &group->clock.fences, observed);
    return;
  }
  for (const Record *record = released_first(observed); record;
       record = released_next(observed, record))
    if (scopes_are_mutual(race, record->scope, record->block, scope, block->number))
      released_add(race, &group->clock.fences, record->block, record->scope, &record->clock);
}

// If the fence is ordered behind all of them, whatever follows it is: a later fence, here or of a
// thread that learns from this one, has nothing to add.
static void drop_observed(Race *race, Group *group, Scope scope) {
  if (scope < SCOPE_GPU || !released_is_wide(race, group->clock.observed))
    return;
  released_drop(&race->heap, group->clock.observed);
  group->clock.observed = NULL;
}

// The fences that must be before it, as far as the two are in each other's scope, also precede what
// follows. Returns what the lanes know, if they all know the same: a reference.
static ClockNode *order_fence(Race *race, const EmuWarp *emu, Scope scope) {
  const Block *block = block_of(emu);
  Warp *warp = warp_of(emu);
  ClockNode *exported = NULL;
  warp_split(&race->heap, warp, emu->lanes);
  for (uint32_t i = 0; i < warp->group_count; i++) {
    Group *group = &warp->groups[i];
    if (!(group->lanes & emu->lanes))
      continue;
    clock_join_seen(race, &group->clock);
    RecordSet *observed = released_keep(group->clock.observed);
    if (observed) {
      released_acquire(race, block, warp, group->lanes, observed, scope);
      add_acquired(race, block, group, observed, scope);
      drop_observed(race, group, scope);
      released_drop(&race->heap, observed);
    }
    clock_drop(&race->heap, exported);
    exported = add_fence(race, emu, group, scope);
    if (group->lanes != emu->lanes) {
      clock_drop(&race->heap, exported);
      exported = NULL;
    }
  }
  return exported;
}

static bool learns_nothing(const Group *group, const WordList *list, bool is_write) {
  const Clock *clock = &group->clock;
  return (!list->fences_of_writes || list->fences_of_writes == clock->observed ||
          list->fences_of_writes == clock->seen) &&
         (!is_write || !list->fences_of_reads || list->fences_of_reads == clock->observed);
}

static void learn_fences(Race *race, Warp *warp, uint32_t lanes, const WordList *list,
                         bool is_write) {
  if (learns_nothing(warp_group(warp, bits_first(lanes)), list, is_write))
    return;
  warp_split(&race->heap, warp, lanes);
  WARP_GROUPS(group, warp, lanes) {
    if (is_write)
      released_join(race, &group->clock.observed, list->fences_of_reads);
    clock_see(race, &group->clock, list->fences_of_writes);
  }
}

void sync_learn_fences(Race *race, const EmuWarp *emu, uint32_t lanes, const Place *place,
                       bool is_write) {
  const WordList *list = sync_list(place);
  // What an older value tells of the fences before later writes is not known.
  if (list && !weak_choice(race, bits_first(lanes)))
    learn_fences(race, warp_of(emu), lanes, list, is_write);
}

// NULL: there is no such word.
static WordList *make_list(Race *race, const Place *place) {
  WordList *list = sync_list(place);
  Page *page = list ? NULL : shadow_page(place->shadow, place->address);
  if (!page || word_of(place->address) >= page->words)
    return list;
  Cells cells = page_cells(page);
  return word_make_list(&race->heap, &cells, word_of(place->address));
}

void sync_tell_fences(Race *race, const EmuWarp *emu, uint32_t lanes, const Place *place,
                      bool is_read, bool is_write) {
  const Group *group = warp_group(warp_of(emu), bits_first(lanes));
  if (!group->clock.fences)
    return;
  WordList *list = make_list(race, place);
  if (!list)
    return;
  if (is_write)
    released_gather(race, &list->fences_of_writes, group->clock.fences);
  if (is_read)
    released_gather(race, &list->fences_of_reads, group->clock.fences);
  if (place->owner)
    ((Block *)place->owner->watched)->has_locations = true;
}

// --- heads of release patterns

static void drop_head(Race *race, Sync *sync, uint32_t i) {
  clock_drop(&race->heap, sync->heads[i].exported);
  clock_release(&race->heap, &sync->heads[i].known.clock);
  sync->heads[i] = sync->heads[--sync->head_count];
}

// A later fence of at least the scope makes an earlier one needless that orders no more.
void sync_drop_heads(Race *race, Sync *sync, uint32_t lanes, Scope scope, FenceReach reach) {
  for (uint32_t i = sync->head_count; i-- > 0;) {
    if (sync->heads[i].scope > scope || (reach != REACH_ALL && sync->heads[i].reach != reach))
      continue;
    if (sync->heads[i].lanes & lanes) {
      clock_drop(&race->heap, sync->heads[i].exported);
      sync->heads[i].exported = NULL;
    }
    sync->heads[i].lanes &= ~lanes;
    if (!sync->heads[i].lanes)
      drop_head(race, sync, i);
  }
}

static Head *add_head(Race *race, const EmuWarp *emu, uint32_t lanes, Scope scope,
                      const Group *group) {
  Sync *sync = warp_of(emu)->sync;
  sync->heads = sync_grow(&race->heap, sync->heads, sync->head_count, &sync->head_capacity,
                          sizeof *sync->heads);
  Head *head = &sync->heads[sync->head_count++];
  *head = (Head){.lanes = lanes,
                 .scope = scope,
                 .reach = fence_reach(emu->instruction),
                 .time = warp_of(emu)->now,
                 .known = *group};
  clock_copy(&head->known.clock, &group->clock);
  warp_add_copies(race, block_of(emu), emu->warp, lanes, &head->known.clock);
  return head;
}

// Lanes have one head together unless each knows of copies of its own.
static void release_by_fence(Race *race, const EmuWarp *emu, Scope scope, ClockNode *exported) {
  Warp *warp = warp_of(emu);
  sync_drop_heads(race, sync_of(race, warp), emu->lanes, scope, fence_reach(emu->instruction));
  WARP_GROUPS(group, warp, emu->lanes) {
    uint32_t lanes = group->lanes & emu->lanes;
    if (!warp->copies) {
      add_head(race, emu, lanes, scope, group)->exported = clock_keep(exported);
      continue;
    }
    for (; lanes; lanes &= lanes - 1)
      add_head(race, emu, lanes & -lanes, scope, group);
  }
}

void sync_fence(Race *race, const EmuWarp *emu, Sem sem, Scope scope) {
  ClockNode *exported = NULL;
  if (sem_is_acquire(sem)) {
    warp_of(emu)->acquired |= emu->lanes;
    if (fence_reach(emu->instruction) == REACH_ALL)
      acquire_by_fence(race, emu, scope);
    else
      acquire_for_places(race, emu, scope);
  }
  if (sem == SEM_SC && !race->options.is_cuda)
    exported = order_fence(race, emu, scope);
  if (sem == SEM_SC && race->weak)
    weak_order_fence(race, emu, scope);
  if (sem_is_release(sem))
    release_by_fence(race, emu, scope, exported);
  clock_drop(&race->heap, exported);
  warp_merge(&race->heap, warp_of(emu));
  warp_tick(race, warp_of(emu));
}

void sync_fence_heads(Race *race, const EmuWarp *emu, Scope least, Clock *into) {
  const Sync *sync = warp_of(emu)->sync;
  for (uint32_t i = 0; sync && i < sync->head_count; i++) {
    Head *head = &sync->heads[i];
    Clock clock;
    if (!(head->lanes & emu->lanes) || head->scope < least)
      continue;
    head_export(race, emu, head, head->lanes & emu->lanes, &clock);
    clock_learn(race, into, &clock);
    clock_release(&race->heap, &clock);
  }
}
