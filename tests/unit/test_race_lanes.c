// Accesses of whole warps, in rows and otherwise, against a search of all earlier accesses of
// single threads: after each access the detector has found a race if, and only if, there is one.
// Where it tells reads together it may leave the run undecided instead.
#include "race_unit.h"

enum {
  LANES = 32,
  WARPS = 2,
  BLOCKS = 3,
  STEPS = 36,
  KINDS = 6,
  MOST_EVENTS = STEPS * BLOCKS * LANES
};

// What an instruction does: lane i accesses element i * factor / divisor + offset.
typedef struct Kind {
  EmuAccessKind kind;
  bool is_shared, is_shown_as_any;
  uint32_t size, factor, divisor, offset, elements;
} Kind;

typedef struct Event {
  uint32_t block, warp, lane;
  uint32_t barriers, syncs; // of the block and of the warp, before it
  uint32_t kind;
  uint64_t address;
} Event;

typedef struct Run {
  Unit *unit;
  uint64_t random;
  bool is_undecided;
  bool is_in_rows; // most accesses are of whole rows of 32 words
  Kind kinds[KINDS];
  Event events[MOST_EVENTS];
  uint32_t event_count;
  uint32_t barriers[UNIT_BLOCKS], syncs[UNIT_BLOCKS][WARPS];
} Run;

static uint32_t random_number(Run *run, uint32_t below) {
  run->random = run->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(run->random >> 33) % below;
}

static Kind random_kind(Run *run) {
  static const uint32_t DIVISORS[] = {1, 1, 1, 2, 16, 8}, ELEMENTS[] = {64, 64, 40, 16, 5};
  static const EmuAccessKind KINDS_OF[] = {EMU_READ, EMU_READ, EMU_WRITE, EMU_ATOMIC};
  Kind kind = {.kind = KINDS_OF[random_number(run, 4)],
               .is_shared = random_number(run, 2),
               .is_shown_as_any = random_number(run, 2),
               .size = random_number(run, 4) ? 4 : 8,
               .factor = random_number(run, 4) ? 1 : random_number(run, 3),
               .divisor = DIVISORS[random_number(run, 6)],
               .offset = random_number(run, 12),
               .elements = ELEMENTS[random_number(run, 5)]};
  if (run->is_in_rows && random_number(run, 16)) {
    kind.kind = random_number(run, 2) ? EMU_READ : EMU_WRITE;
    kind.factor = kind.divisor = 1;
    kind.elements = 64;
    kind.offset = random_number(run, 3) ? 0 : 32;
  }
  if (kind.kind == EMU_ATOMIC)
    kind.size = 4;
  return kind;
}

static uint64_t address_of(const Kind *kind, uint32_t lane) {
  uint32_t element = (lane * kind->factor / kind->divisor + kind->offset) % kind->elements;
  return (kind->is_shared ? 0 : 1 << 20) + (uint64_t)element * kind->size;
}

static EmuShape shape_of(const Kind *kind) {
  bool is_same = true, is_consecutive = true;
  for (uint32_t i = 0; i < LANES; i++) {
    is_same &= address_of(kind, i) == address_of(kind, 0);
    is_consecutive &= address_of(kind, i) == address_of(kind, 0) + i * (uint64_t)kind->size;
  }
  if (kind->is_shown_as_any || !(is_same || is_consecutive))
    return EMU_SHAPE_ANY;
  return is_same ? EMU_SHAPE_SAME : EMU_SHAPE_CONSECUTIVE;
}

// --- the search

static bool is_ordered(const Run *run, const Event *before, const Event *event) {
  const EmuBlock *blocks = run->unit->blocks;
  if (blocks[before->block].grid != blocks[event->block].grid)
    return true;
  if (before->block != event->block)
    return false;
  if (before->warp == event->warp && (before->lane == event->lane || before->syncs < event->syncs))
    return true;
  return before->barriers < event->barriers;
}

static bool is_conflict(const Run *run, const Event *a, const Event *b) {
  const Kind *first = &run->kinds[a->kind], *second = &run->kinds[b->kind];
  if (first->is_shared != second->is_shared || (first->is_shared && a->block != b->block))
    return false;
  if (a->address >= b->address + second->size || b->address >= a->address + first->size)
    return false;
  return (first->kind != EMU_READ || second->kind != EMU_READ) &&
         (first->kind != EMU_ATOMIC || second->kind != EMU_ATOMIC);
}

// Adds the access of a lane; does it race with an earlier one?
static bool add_event(Run *run, Event event) {
  bool races = false;
  for (uint32_t i = 0; i < run->event_count && !races; i++)
    races = is_conflict(run, &run->events[i], &event) && !is_ordered(run, &run->events[i], &event);
  run->events[run->event_count++] = event;
  return races;
}

// --- runs

// The values differ, so that no race is one of equal values.
static void show(Run *run, Who who, uint32_t number) {
  const Kind *kind = &run->kinds[number];
  uint64_t addresses[LANES], values[LANES];
  for (uint32_t i = 0; i < LANES; i++) {
    addresses[i] = address_of(kind, i);
    values[i] = 7 + number;
  }
  EmuAccess access = {.kind = kind->kind,
                      .shape = shape_of(kind),
                      .is_shared = kind->is_shared,
                      .is_strong = kind->kind == EMU_ATOMIC,
                      .has_result = true,
                      .sem = kind->kind == EMU_ATOMIC ? SEM_RELAXED : SEM_WEAK,
                      .scope = kind->kind == EMU_ATOMIC ? SCOPE_GPU : SCOPE_NONE,
                      .size = kind->size,
                      .owner = kind->is_shared ? &run->unit->blocks[who.block] : NULL,
                      .addresses = addresses,
                      .values = values,
                      .stored = values,
                      .wrote = who.lanes};
  EmuWarp warp = unit_warp(who, number);
  run->unit->watcher->access(run->unit->watcher->context, &warp, &access);
}

static void access(Run *run, Who who, uint32_t number, uint64_t seed) {
  uint64_t before = race_counts(run->unit->race).races;
  bool races = false;
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (who.lanes >> lane & 1)
      races |= add_event(run, (Event){.block = who.block,
                                      .warp = who.warp,
                                      .lane = lane,
                                      .barriers = run->barriers[who.block],
                                      .syncs = run->syncs[who.block][who.warp],
                                      .kind = number,
                                      .address = address_of(&run->kinds[number], lane)});
  show(run, who, number);
  run->is_undecided |= race_is_undecided(run->unit->race);
  if (!run->is_undecided && races != (race_counts(run->unit->race).races > before))
    fail_msg("seed %llu, event %u: a race is %s", (unsigned long long)seed, run->event_count,
             races ? "missed" : "found that there is not");
}

static uint32_t random_lanes(Run *run) {
  if (run->is_in_rows && random_number(run, 8))
    return UINT32_MAX;
  switch (random_number(run, 4)) {
  case 0:
    return 1u << random_number(run, LANES);
  case 1:
    return 1 + random_number(run, INT32_MAX);
  default:
    return UINT32_MAX;
  }
}

static void step(Run *run, uint32_t first_block, uint64_t seed) {
  uint32_t block = first_block + random_number(run, BLOCKS), warp = random_number(run, WARPS);
  uint32_t number = random_number(run, KINDS);
  Who who = {run->unit, block, warp, UINT32_MAX};
  switch (random_number(run, 8)) {
  case 0:
  case 1:
    unit_barrier(run->unit, block);
    run->barriers[block]++;
    break;
  case 2:
    unit_sync_warp(who);
    run->syncs[block][warp]++;
    break;
  case 3: // all blocks, from that one on
    for (uint32_t i = 0; i < BLOCKS; i++) {
      who.block = first_block + (block - first_block + i) % BLOCKS;
      access(run, who, number, seed);
    }
    break;
  default:
    who.lanes = random_lanes(run);
    access(run, who, number, seed);
  }
}

// Two launches, one after the other.
static void run_one(Run *run, Arena *arena, uint64_t seed, bool is_exact) {
  run->random = seed;
  run->is_in_rows = seed % 3 == 0;
  run->unit = ARENA_NEW(arena, Unit);
  unit_prepare(run->unit, arena);
  for (uint32_t i = 0; i < 2; i++)
    unit_add_grid(run->unit, BLOCKS, WARPS * LANES);
  run->unit->grids[1].after = 0;
  // Under the rules of CUDA C++ observation orders nothing.
  RaceExact *exact = is_exact ? NULL : race_exact_new(&run->unit->program, arena);
  unit_watch(run->unit, (RaceOptions){.is_cuda = true, .exact = exact});
  for (uint32_t i = 0; i < KINDS; i++)
    run->kinds[i] = random_kind(run);
  for (uint32_t grid = 0; grid < 2; grid++) {
    unit_begin_grid(run->unit, grid);
    for (uint32_t i = 0; i < STEPS / 2 && !run->is_undecided; i++)
      step(run, grid * BLOCKS, seed);
    unit_end_grid(run->unit, grid);
  }
  race_end(run->unit->race);
}

static void compare_runs(Arena *arena, bool is_exact) {
  const char *more = getenv("RACE_LANES_RUNS"), *first = getenv("RACE_LANES_FIRST");
  uint64_t runs = more ? strtoull(more, NULL, 10) : 1500;
  for (uint64_t seed = first ? strtoull(first, NULL, 10) : 1; seed <= runs; seed++) {
    ArenaMark mark = arena_mark(arena);
    run_one(ARENA_NEW(arena, Run), arena, seed, is_exact);
    arena_reset(arena, mark);
  }
}

static void each_access_races_as_the_search_says(void **state) {
  compare_runs(*state, true);
}

static void nothing_is_missed_where_reads_are_told_together(void **state) {
  compare_runs(*state, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(each_access_races_as_the_search_says),
      UNIT_TEST(nothing_is_missed_where_reads_are_told_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
