// Words in which many threads count by relaxed atomics.
#include "race_unit.h"

enum { BINS = 256, TILE = 0x1000, MANY = 7 };
enum { INIT = 1, COUNT, OTHER, READ, WRITE, COPY };

static Unit *begin(void **state, uint32_t blocks, uint32_t threads) {
  Unit *unit = ARENA_NEW(*state, Unit);
  unit_start(unit, *state, blocks, threads);
  return unit;
}

static Who whole_warp(Unit *unit, uint32_t block, uint32_t warp) {
  return (Who){unit, block, warp, UINT32_MAX};
}

static void in_shared(Who who, uint32_t place, EmuAccessKind kind, uint32_t offset) {
  Sem sem = kind == EMU_ATOMIC ? SEM_RELAXED : SEM_WEAK;
  Scope scope = kind == EMU_ATOMIC ? SCOPE_GPU : SCOPE_NONE;
  bool is_spread = who.lanes == UINT32_MAX;
  unit_access(who, place, offset,
              (Access){.kind = kind,
                       .sem = sem,
                       .scope = scope,
                       .is_shared = true,
                       .is_spread = is_spread,
                       .owner = who.block,
                       .value = place});
}

static void count_in_row(Who who, uint32_t place, uint64_t address) {
  unit_access(
      who, place, address,
      (Access){.kind = EMU_ATOMIC, .sem = SEM_RELAXED, .scope = SCOPE_GPU, .is_spread = true});
}

// --- in shared memory

static void barriers_cover_counts(void **state) {
  // 0: right; 1, 2: without the first, the second barrier.
  for (uint32_t kind = 0; kind < 3; kind++) {
    Unit *unit = begin(state, 1, 64);
    in_shared(whole_warp(unit, 0, 0), INIT, EMU_WRITE, BINS);
    if (kind != 1)
      unit_barrier(unit, 0);
    in_shared(whole_warp(unit, 0, 1), COUNT, EMU_ATOMIC, BINS);
    in_shared(unit_thread(unit, 0, 2), COUNT, EMU_ATOMIC, BINS + 4 * MANY);
    if (kind != 2)
      unit_barrier(unit, 0);
    in_shared(whole_warp(unit, 0, 0), READ, EMU_READ, BINS);
    if (kind == 0)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_BARRIER_MISSING, kind == 1 ? INIT : COUNT, kind == 1 ? COUNT : READ);
  }
}

// A thread that knows of its own count only, and one that has not counted.
static void each_thread_is_remembered(void **state) {
  for (uint32_t others = 0; others < 2; others++) {
    Unit *unit = begin(state, 1, 96);
    Who own = unit_thread(unit, 0, 40);
    in_shared(whole_warp(unit, 0, 0), COUNT, EMU_ATOMIC, TILE);
    in_shared(own, COUNT, EMU_ATOMIC, BINS);
    in_shared(own, OTHER, EMU_ATOMIC, BINS); // of another instruction
    if (others)
      in_shared(unit_thread(unit, 0, 70), COUNT, EMU_ATOMIC, BINS);
    in_shared(own, WRITE, EMU_WRITE, BINS);
    if (others)
      assert_int_equal(race_finding_count(unit->findings), 1);
    else
      assert_int_equal(race_finding_count(unit->findings), 0);
    race_end(unit->race);
  }
}

static void counts_are_remembered_through_reads(void **state) {
  // The barrier is missing before the count of the next phase, or before a write.
  for (uint32_t kind = 0; kind < 3; kind++) {
    Unit *unit = begin(state, 1, 64);
    in_shared(whole_warp(unit, 0, 0), COUNT, EMU_ATOMIC, BINS);
    in_shared(whole_warp(unit, 0, 1), COUNT, EMU_ATOMIC, BINS);
    unit_barrier(unit, 0);
    in_shared(whole_warp(unit, 0, 0), READ, EMU_READ, BINS);
    if (kind == 0)
      unit_barrier(unit, 0);
    in_shared(whole_warp(unit, 0, 1), kind == 1 ? WRITE : COUNT, kind == 1 ? EMU_WRITE : EMU_ATOMIC,
              BINS);
    if (kind == 0)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_BARRIER_MISSING, kind == 1 ? WRITE : COUNT, READ);
  }
}

static void proxy_fence(Who who) {
  EmuWarp warp = unit_warp(who, 0);
  who.unit->watcher->proxy_fence(who.unit->watcher->context, &warp, PROXY_ASYNC, SEM_WEAK,
                                 SCOPE_NONE);
}

// Each thread that counted has to fence before a bulk copy reads the word, also if others have read
// it meanwhile.
static void copies_need_fences_of_all_who_counted(void **state) {
  for (uint32_t all = 0; all < 2; all++) {
    Unit *unit = begin(state, 1, 64);
    Who first = unit_thread(unit, 0, 3), last = unit_thread(unit, 0, 40);
    in_shared(first, COUNT, EMU_ATOMIC, BINS);
    in_shared(last, COUNT, EMU_ATOMIC, BINS);
    proxy_fence(first);
    if (all)
      proxy_fence(last);
    unit_barrier(unit, 0);
    in_shared(whole_warp(unit, 0, 1), READ, EMU_READ, BINS);
    unit_barrier(unit, 0);
    EmuBulk bulk = {.block = &unit->blocks[0],
                    .instruction = &unit->instructions[COPY],
                    .from = BINS,
                    .from_owner = &unit->blocks[0],
                    .to = 0x10000,
                    .bytes = 4,
                    .warp = 1,
                    .lane = 8};
    unit->watcher->bulk(unit->watcher->context, &bulk);
    if (all)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_PROXY_FENCE_MISSING, COUNT, COPY);
  }
}

// Blocks of a cluster may come without having waited for what was there before.
static void visitors_race_with_what_was_before(void **state) {
  Unit *unit = ARENA_NEW(*state, Unit);
  unit_prepare(unit, *state);
  Grid *grid = unit_add_grid(unit, 2, 32);
  grid->cluster[0] = 2;
  grid->has_cluster = true;
  unit_watch(unit, (RaceOptions){0});
  unit_begin_grid(unit, 0);
  in_shared(whole_warp(unit, 0, 0), INIT, EMU_WRITE, BINS);
  unit_barrier(unit, 0);
  in_shared(whole_warp(unit, 0, 0), COUNT, EMU_ATOMIC, BINS);
  unit_access(unit_thread(unit, 1, 0), OTHER, BINS,
              (Access){.kind = EMU_ATOMIC,
                       .sem = SEM_RELAXED,
                       .scope = SCOPE_GPU,
                       .is_shared = true,
                       .owner = 0});
  unit_expect(unit, RULE_NO_SYNCHRONISATION, INIT, OTHER);
}

// --- in global memory

static void blocks_count_in_rows(void **state) {
  // 0: right; 1: a block reads without waiting; 2: one writes; 3: another kernel reads.
  for (uint32_t kind = 0; kind < 4; kind++) {
    Unit *unit = ARENA_NEW(*state, Unit);
    unit_prepare(unit, *state);
    unit_add_grid(unit, MANY, 64);
    unit_add_grid(unit, 1, 64)->after = 0;
    unit_watch(unit, (RaceOptions){0});
    unit_begin_grid(unit, 0);
    for (uint32_t i = 0; i < MANY; i++) {
      uint32_t block = 3 * i % MANY;
      count_in_row(whole_warp(unit, block, 0), COUNT, 0x2000);
      count_in_row(whole_warp(unit, block, 1), COUNT, 0x2080);
    }
    if (kind == 1)
      unit_read(unit_thread(unit, 2, 5), READ, 0x2000 + 4 * 5);
    if (kind == 2)
      unit_write(unit_thread(unit, 2, 5), WRITE, 0x2000 + 4 * 40);
    unit_end_grid(unit, 0);
    unit_begin_grid(unit, 1);
    if (kind == 3)
      unit_access(whole_warp(unit, MANY, 0), READ, 0x2000,
                  (Access){.kind = EMU_READ, .is_spread = true});
    if (kind == 0 || kind == 3)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_NO_SYNCHRONISATION, COUNT, kind == 1 ? READ : WRITE);
  }
}

// Who was the last to count has observed all others at that place.
static void the_last_one_may_reset(void **state) {
  for (uint32_t kind = 0; kind < 4; kind++) {
    bool is_last = kind & 1;
    Unit *unit = begin(state, MANY, 32);
    for (uint32_t i = 0; i < MANY; i++)
      count_in_row(whole_warp(unit, 3 * i % MANY, 0), COUNT, 0x2000);
    uint32_t last = 3 * (MANY - 1) % MANY, another = (last + 1) % MANY;
    Who who = unit_thread(unit, is_last ? last : another, 5);
    if (kind < 2)
      unit_read(who, READ, 0x2000 + 4 * 5);
    else
      unit_write(who, WRITE, 0x2000 + 4 * 5);
    if (is_last)
      assert_int_equal(race_finding_count(unit->findings), 0);
    else
      assert_int_equal(race_finding_count(unit->findings), 1);
    race_end(unit->race);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(barriers_cover_counts),
      UNIT_TEST(each_thread_is_remembered),
      UNIT_TEST(counts_are_remembered_through_reads),
      UNIT_TEST(copies_need_fences_of_all_who_counted),
      UNIT_TEST(visitors_race_with_what_was_before),
      UNIT_TEST(blocks_count_in_rows),
      UNIT_TEST(the_last_one_may_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
