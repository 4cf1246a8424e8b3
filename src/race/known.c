// What warps know, and where blocks are.
#include "base/bits.h"
#include "ir/grid.h"
#include "race/sync.h"

#include <string.h>

// --- clocks

void clock_copy(Clock *into, const Clock *from) {
  for (uint32_t i = 0; i < CLOCK_PARTS; i++)
    into->part[i] = clock_keep(from->part[i]);
  into->fences = released_keep(from->fences);
  into->observed = released_keep(from->observed);
  into->seen = released_keep(from->seen);
  into->restricted = released_keep(from->restricted);
  into->version = from->version;
}

void clock_release(Heap *heap, Clock *clock) {
  for (uint32_t i = 0; i < CLOCK_PARTS; i++)
    clock_drop(heap, clock->part[i]);
  released_drop(heap, clock->fences);
  released_drop(heap, clock->observed);
  released_drop(heap, clock->seen);
  released_drop(heap, clock->restricted);
  *clock = (Clock){0};
}

static const ClockPart shared_parts[] = {CLOCK_THREADS, CLOCK_AGENTS, CLOCK_ORDERED};
enum { SHARED_PARTS = sizeof shared_parts / sizeof *shared_parts };

static uint32_t memo_of(const void *into, const void *other) {
  uint64_t hash = ((uintptr_t)into * 3 ^ (uintptr_t)other) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(hash >> 40) % MEMOS;
}

static bool find_join(Race *race, ClockMemo *memo, ClockNode **into, ClockNode *other) {
  bool is_found = false;
  spin_lock(&race->memo_lock);
  if (memo->into == *into && memo->other == other) {
    clock_drop(&race->heap, *into);
    *into = clock_keep(memo->joined);
    is_found = true;
  }
  spin_unlock(&race->memo_lock);
  return is_found;
}

// Takes over the reference of `into`.
static void keep_join(Race *race, ClockMemo *memo, ClockNode *into, ClockNode *other,
                      ClockNode *joined) {
  ClockMemo made = {into, clock_keep(other), clock_keep(joined)};
  spin_lock(&race->memo_lock);
  ClockMemo old = *memo;
  *memo = made;
  spin_unlock(&race->memo_lock);
  clock_drop(&race->heap, old.into);
  clock_drop(&race->heap, old.other);
  clock_drop(&race->heap, old.joined);
}

static void learn_part(Race *race, ClockNode **into, ClockNode *other) {
  ClockNode *old = *into;
  if (clock_covers(old, other))
    return;
  if (clock_covers(other, old)) {
    *into = clock_keep(other);
    clock_drop(&race->heap, old);
    return;
  }
  ClockMemo *memo = &race->clock_memos[memo_of(old, other)];
  if (find_join(race, memo, into, other))
    return;
  clock_keep(old);
  clock_join(&race->heap, into, other);
  keep_join(race, memo, old, other, *into);
}

// Who polls a counter gets one version after the other of what its writes have released, each of
// which has all of those before.
static void learn_parts(Race *race, Clock *into, const Clock *from) {
  bool is_covered = version_covers(from->version, into->version), is_same = true, is_kept = true;
  if (version_covers(into->version, from->version))
    return;
  for (uint32_t i = 0; i < SHARED_PARTS; i++) {
    ClockNode **part = &into->part[shared_parts[i]], *other = from->part[shared_parts[i]];
    const ClockNode *old = *part;
    if (is_covered && old != other) {
      clock_drop(&race->heap, *part);
      *part = clock_keep(other);
    } else {
      learn_part(race, part, other);
    }
    is_same &= *part == other;
    is_kept &= *part == old;
  }
  if (is_same)
    into->version = from->version;
  else if (!is_kept)
    into->version = 0;
}

void clock_learn_elsewhere(Race *race, Clock *into, const Clock *from) {
  learn_parts(race, into, from);
  released_join(race, &into->fences, from->fences);
  released_join(race, &into->observed, from->observed);
  clock_see(race, into, from->seen);
  released_join(race, &into->restricted, from->restricted);
}

// Sets that threads see one after the other are most often versions of one, of which the last is
// enough.
void clock_see(Race *race, Clock *into, RecordSet *fences) {
  RecordSet *seen = into->seen;
  if (!fences || fences == seen || (seen && version_covers(seen->version, fences->version)))
    return;
  if (seen && !version_covers(fences->version, seen->version))
    released_join(race, &into->observed, seen);
  released_keep(fences);
  released_drop(&race->heap, seen);
  into->seen = fences;
}

void clock_join_seen(Race *race, Clock *clock) {
  released_join(race, &clock->observed, clock->seen);
  released_drop(&race->heap, clock->seen);
  clock->seen = NULL;
}

void clock_learn(Race *race, Clock *into, const Clock *from) {
  clock_learn_elsewhere(race, into, from);
  clock_join(&race->heap, &into->part[CLOCK_FENCED_THREADS], from->part[CLOCK_FENCED_THREADS]);
  clock_join(&race->heap, &into->part[CLOCK_FENCED_AGENTS], from->part[CLOCK_FENCED_AGENTS]);
}

bool clock_is_empty(const Clock *clock) {
  for (uint32_t i = 0; i < CLOCK_PARTS; i++)
    if (clock->part[i])
      return false;
  return !clock->fences && !clock->observed && !clock->seen && !clock->restricted;
}

bool clock_is_equal(const Clock *a, const Clock *b) {
  return memcmp(a->part, b->part, sizeof a->part) == 0 && a->fences == b->fences &&
         a->observed == b->observed && a->seen == b->seen && a->restricted == b->restricted;
}

// --- groups of lanes

void warp_init(Warp *warp, uint32_t lanes, const Clock *start) {
  memset(warp, 0, sizeof *warp);
  warp->now = 1;
  warp->live = lanes;
  warp->group_count = 1;
  warp->groups = &warp->first;
  warp->first.lanes = lanes;
  clock_copy(&warp->first.clock, start);
}

void warp_release(Heap *heap, Warp *warp) {
  released_drop(heap, warp->taken);
  for (uint32_t i = 0; i < warp->group_count; i++)
    clock_release(heap, &warp->groups[i].clock);
  if (warp->groups != &warp->first)
    heap_give(heap, warp->groups, WARP_LANES * sizeof(Group));
  heap_give(heap, warp->copies, WARP_LANES * sizeof(LaneCopies));
  heap_give(heap, warp->exit_times, WARP_LANES * sizeof(uint32_t));
  heap_give(heap, warp->meetings, WARP_MEETINGS * sizeof *warp->meetings);
}

Group *warp_group(const Warp *warp, uint32_t lane) {
  for (uint32_t i = 0; i < warp->group_count; i++)
    if (warp->groups[i].lanes >> lane & 1)
      return &warp->groups[i];
  return &warp->groups[0];
}

static void make_room(Heap *heap, Warp *warp) {
  if (warp->groups != &warp->first)
    return;
  warp->groups = heap_take(heap, WARP_LANES * sizeof(Group));
  warp->groups[0] = warp->first;
}

void warp_split(Heap *heap, Warp *warp, uint32_t lanes) {
  uint32_t count = warp->group_count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t inside = warp->groups[i].lanes & lanes;
    if (!inside || inside == warp->groups[i].lanes)
      continue;
    make_room(heap, warp);
    Group *group = &warp->groups[i], *other = &warp->groups[warp->group_count++];
    *other = *group;
    clock_copy(&other->clock, &group->clock);
    other->lanes = inside;
    group->lanes &= ~inside;
  }
}

static bool is_equal(const Group *a, const Group *b) {
  return a->uniform == b->uniform && a->warp_known == b->warp_known &&
         clock_is_equal(&a->clock, &b->clock);
}

void warp_merge(Heap *heap, Warp *warp) {
  uint32_t kept = 0;
  if (warp->group_count == 1)
    return;
  for (uint32_t i = 0; i < warp->group_count; i++) {
    uint32_t j = 0;
    while (j < kept && !is_equal(&warp->groups[j], &warp->groups[i]))
      j++;
    if (j == kept) {
      warp->groups[kept++] = warp->groups[i];
      continue;
    }
    warp->groups[j].lanes |= warp->groups[i].lanes;
    clock_release(heap, &warp->groups[i].clock);
  }
  warp->group_count = kept;
}

void warp_tick(Race *race, Warp *warp) {
  if (++warp->now >= CLOCK_FOREVER - 1)
    race_stop(race, "a block synchronises more often than the detector can count");
}

// --- what a group knows, as a clock

// The threads of the block that barriers of it have covered, one warp at a time.
static void add_uniform(Race *race, const Block *block, uint32_t uniform, ClockNode **threads) {
  if (!block->has_exits || uniform <= block->most_uniform) {
    clock_add_block(&race->heap, threads, block->number, uniform);
    return;
  }
  for (uint32_t w = 0; w < block->emu->warp_count; w++) {
    const Warp *warp = &block->warps[w];
    clock_add_lanes(&race->heap, threads, block->number, w, ~warp->exited, uniform);
    for (uint32_t left = warp->exited; left; left &= left - 1) {
      uint32_t lane = bits_first(left), time = warp->exit_times[lane];
      clock_add_lanes(&race->heap, threads, block->number, w, 1u << lane,
                      time < uniform ? time : uniform);
    }
  }
}

// Lanes that know the same of theirs are added together.
static void add_agents(Race *race, const LaneCopies *copies, uint32_t bank, uint32_t block,
                       uint32_t warp, uint32_t lanes, ClockNode **into) {
  while (lanes) {
    uint32_t time = copies[bits_first(lanes)].known[bank - 1], same = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
      if (copies[bits_first(left)].known[bank - 1] == time)
        same |= 1u << bits_first(left);
    clock_add_lanes(&race->heap, into, agent_block(block, bank), warp, same, time);
    lanes &= ~same;
  }
}

void warp_add_copies(Race *race, const Block *block, uint32_t warp, uint32_t lanes, Clock *into) {
  const LaneCopies *copies = block->warps[warp].copies;
  into->version = copies ? 0 : into->version;
  for (uint32_t bank = BANK_COPIES; copies && bank <= OWN_AGENTS; bank++)
    add_agents(race, copies, bank, block->number, warp, lanes, &into->part[CLOCK_AGENTS]);
}

void group_export(Race *race, const Block *block, uint32_t warp, const Group *group, uint32_t lanes,
                  uint32_t time, Clock *into) {
  ClockNode **threads = &into->part[CLOCK_THREADS];
  clock_copy(into, &group->clock);
  into->version = 0;
  add_uniform(race, block, group->uniform, threads);
  // Lanes that had exited before are not in a warp's time; those that exit later stay in it.
  if (group->warp_known > group->uniform)
    clock_add_lanes(&race->heap, threads, block->number, warp, UINT32_MAX, group->warp_known);
  uint32_t all = block->warps[warp].live | block->warps[warp].exited;
  // Lanes that never were may be counted in.
  if (lanes == all && !block->warps[warp].exited && warp + 1 == block->emu->warp_count)
    lanes = UINT32_MAX;
  clock_add_lanes(&race->heap, threads, block->number, warp, lanes, time);
}

void warp_learn(Race *race, Warp *warp, uint32_t lanes, const Clock *clock, bool is_elsewhere) {
  if (clock_is_empty(clock))
    return;
  warp_split(&race->heap, warp, lanes);
  WARP_GROUPS(group, warp, lanes)
  if (is_elsewhere)
    clock_learn_elsewhere(race, &group->clock, clock);
  else
    clock_learn(race, &group->clock, clock);
}

// --- places

uint32_t block_grid(const Race *race, uint32_t block) {
  uint32_t low = 0, high = race->program->grid_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (race->program->grids[middle].first_block <= block)
      low = middle;
    else
      high = middle;
  }
  return low;
}

uint32_t block_cluster(const Race *race, uint32_t block) {
  const Grid *grid = &race->program->grids[block_grid(race, block)];
  uint32_t id[3];
  if (!grid->has_cluster)
    return block;
  grid_split(block - grid->first_block, grid->size, id);
  return grid->first_block + grid_cluster_block(grid, id, 0);
}

Cluster *cluster_find(const Race *race, uint32_t number) {
  for (uint32_t i = 0; i < race->cluster_count; i++)
    if (race->clusters[i].number == number)
      return &race->clusters[i];
  return NULL;
}

bool scope_contains(const Race *race, Scope scope, uint32_t from_block, uint32_t to_block) {
  if (from_block == to_block || scope == SCOPE_SYS)
    return scope != SCOPE_NONE;
  const Grid *from = &race->program->grids[block_grid(race, from_block)];
  const Grid *to = &race->program->grids[block_grid(race, to_block)];
  switch (scope) {
  case SCOPE_CLUSTER:
    if (from_block == ANY_BLOCK || to_block == ANY_BLOCK)
      return false;
    return block_cluster(race, from_block) == block_cluster(race, to_block);
  case SCOPE_GPU:
    return !from->is_host && !to->is_host && from->gpu == to->gpu && from->domain == to->domain;
  default:
    return false;
  }
}

bool scopes_are_mutual(const Race *race, Scope a, uint32_t a_block, Scope b, uint32_t b_block) {
  return scope_contains(race, a, a_block, b_block) && scope_contains(race, b, b_block, a_block);
}
