// Fences that order some accesses only (PTX ISA, "membar / fence"): `.mbarrier_init` what the
// thread's earlier mbarrier.init have written, `.sync_restrict::shared::cta` accesses to shared
// memory of the own block, `.sync_restrict::shared::cluster` those to shared memory. What is learnt
// by them is kept apart, by block.
#include "ir/grid.h"
#include "race/sync.h"

FenceReach fence_reach(const Instruction *fence) {
  return fence->flags & INSTRUCTION_OF_INITS    ? REACH_INITS
         : fence->flags & INSTRUCTION_OF_SHARED ? REACH_SHARED
                                                : REACH_ALL;
}

const Clock *restricted_find(const Clock *clock, uint32_t block, FenceReach reach) {
  const Record *record = clock->restricted ? released_first(clock->restricted) : NULL;
  for (; record; record = released_next(clock->restricted, record))
    if (record->block == block && record->scope == (Scope)reach)
      return &record->clock;
  return NULL;
}

// Nothing but accesses is ordered by such fences.
static void keep_accesses(Race *race, Clock *clock) {
  Clock known = {.part[CLOCK_THREADS] = clock->part[CLOCK_THREADS],
                 .part[CLOCK_AGENTS] = clock->part[CLOCK_AGENTS]};
  clock->part[CLOCK_THREADS] = clock->part[CLOCK_AGENTS] = NULL;
  clock_release(&race->heap, clock);
  *clock = known;
}

void restricted_release(Race *race, const Block *block, uint32_t warp, uint32_t lanes,
                        const Head *head, Clock *clock) {
  Clock known = *clock;
  if (head->reach == REACH_ALL)
    return;
  *clock = (Clock){0};
  if (head->reach == REACH_INITS) {
    clock_release(&race->heap, &known);
    clock_add_lanes(&race->heap, &known.part[CLOCK_THREADS], block->number, warp, lanes,
                    head->time);
  } else {
    const Clock *here = restricted_find(&known, block->number, REACH_SHARED);
    if (here)
      clock_learn(race, &known, here);
    keep_accesses(race, &known);
  }
  released_add(race, &clock->restricted, block->number, (Scope)head->reach, &known);
  clock_release(&race->heap, &known);
}

static void learn_of_shared(Race *race, const Block *block, Group *group, const Clock *clock) {
  const Grid *grid = &race->program->grids[block_grid(race, block->number)];
  uint32_t id[3], count = 1;
  Clock known;
  clock_copy(&known, clock);
  keep_accesses(race, &known);
  if (grid->has_cluster)
    count = grid->cluster[0] * grid->cluster[1] * grid->cluster[2];
  grid_split(block->number - grid->first_block, grid->size, id);
  for (uint32_t rank = 0; rank < count; rank++)
    released_add(race, &group->clock.restricted,
                 grid->has_cluster ? grid->first_block + grid_cluster_block(grid, id, rank)
                                   : block->number,
                 (Scope)REACH_SHARED, &known);
  released_join(race, &group->clock.restricted, clock->restricted);
  clock_release(&race->heap, &known);
}

void restricted_acquire(Race *race, const Block *block, Warp *warp, uint32_t lane,
                        const RecordSet *records, Scope scope) {
  warp_split(&race->heap, warp, 1u << lane);
  for (const Record *record = released_first(records); record;
       record = released_next(records, record)) {
    if (!scopes_are_mutual(race, record->scope, record->block, scope, block->number))
      continue;
    WARP_GROUPS(group, warp, 1u << lane) {
      learn_of_shared(race, block, group, &record->clock);
    }
  }
}
