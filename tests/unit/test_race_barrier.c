// Barriers of blocks, warps and clusters, exits, launches and copies.
#include "race_unit.h"

enum { DATA = 0x1000, TILE = 64, OTHER_TILE = 1024, FLAG = 0x2000 };
enum { WRITE = 1, READ, WRITE_FLAG, READ_FLAG, COPY, AGAIN, INIT, ARRIVE, WAIT };

static Unit *begin(void **state, uint32_t blocks, uint32_t threads) {
  Unit *unit = ARENA_NEW(*state, Unit);
  unit_start(unit, *state, blocks, threads);
  return unit;
}

static Unit *begin_clusters(void **state) {
  Unit *unit = ARENA_NEW(*state, Unit);
  unit_prepare(unit, *state);
  Grid *grid = unit_add_grid(unit, 4, 32);
  grid->has_cluster = true;
  grid->cluster[0] = 2;
  unit_watch(unit, (RaceOptions){0});
  unit_begin_grid(unit, 0);
  return unit;
}

static void shared(Who who, uint32_t place, uint32_t offset, EmuAccessKind kind, uint32_t owner) {
  unit_access(who, place, offset,
              (Access){.kind = kind, .is_shared = true, .owner = owner, .value = place});
}

static Who warp(Unit *unit, uint32_t block, uint32_t number) {
  return (Who){unit, block, number, UINT32_MAX};
}

// --- block barriers

static void a_block_barrier_orders(void **state) {
  for (uint32_t is_right = 0; is_right < 2; is_right++) {
    Unit *unit = begin(state, 1, 64);
    shared(unit_thread(unit, 0, 3), WRITE, TILE, EMU_WRITE, 0);
    if (is_right)
      unit_barrier(unit, 0);
    shared(unit_thread(unit, 0, 40), READ, TILE, EMU_READ, 0);
    if (is_right)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_BARRIER_MISSING, WRITE, READ);
  }
}

static void a_read_before_the_next_write_needs_one_too(void **state) {
  for (uint32_t is_right = 0; is_right < 2; is_right++) {
    Unit *unit = begin(state, 1, 64);
    for (uint32_t i = 0; i < 5; i++) {
      unit_access(warp(unit, 0, 0), WRITE, TILE,
                  (Access){.kind = EMU_WRITE, .is_shared = true, .is_spread = true});
      unit_barrier(unit, 0);
      unit_access(warp(unit, 0, 1), READ, TILE,
                  (Access){.kind = EMU_READ, .is_shared = true, .is_spread = true});
      if (is_right)
        unit_barrier(unit, 0);
    }
    if (is_right)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_BARRIER_MISSING, WRITE, READ);
  }
}

// The last of the readers of a word is not the only one.
static void every_reader_counts(void **state) {
  Unit *unit = begin(state, 1, 96);
  shared(warp(unit, 0, 0), READ, TILE, EMU_READ, 0);
  shared(unit_thread(unit, 0, 40), READ, TILE, EMU_READ, 0);
  shared(unit_thread(unit, 0, 41), READ, TILE, EMU_READ, 0);
  // Only warps 1 and 2 meet.
  unit_arrive(warp(unit, 0, 1), 1, true);
  unit_arrive(warp(unit, 0, 2), 1, true);
  unit_complete(unit, 0, 1);
  shared(unit_thread(unit, 0, 70), WRITE, TILE, EMU_WRITE, 0);
  unit_expect(unit, RULE_BARRIER_MISSING, WRITE, READ);
}

static void arrive_and_sync_order_one_way(void **state) {
  for (uint32_t is_back = 0; is_back < 2; is_back++) {
    Unit *unit = begin(state, 1, 64);
    shared(unit_thread(unit, 0, 0), WRITE, TILE, EMU_WRITE, 0);
    shared(unit_thread(unit, 0, 33), AGAIN, TILE + 4, EMU_WRITE, 0);
    unit_arrive(warp(unit, 0, 0), 1, false);
    // What the producer does behind the arrival is not ordered.
    unit_arrive(warp(unit, 0, 1), 1, true);
    unit_complete(unit, 0, 1);
    shared(unit_thread(unit, 0, 33), READ, TILE, EMU_READ, 0);
    if (is_back)
      shared(unit_thread(unit, 0, 0), COPY, TILE + 4, EMU_READ, 0);
    if (is_back)
      unit_expect(unit, RULE_BARRIER_MISSING, AGAIN, COPY);
    else
      unit_expect_none(unit);
  }
}

static void what_follows_an_arrival_is_not_ordered(void **state) {
  Unit *unit = begin(state, 1, 64);
  unit_arrive(warp(unit, 0, 0), 1, false);
  shared(unit_thread(unit, 0, 0), WRITE, TILE, EMU_WRITE, 0);
  unit_arrive(warp(unit, 0, 1), 1, true);
  unit_complete(unit, 0, 1);
  shared(unit_thread(unit, 0, 33), READ, TILE, EMU_READ, 0);
  unit_expect(unit, RULE_BARRIER_MISSING, WRITE, READ);
}

// Threads that have exited do not take part in barriers: what they did is not ordered by them.
static void exits_are_not_arrivals(void **state) {
  for (uint32_t is_before = 0; is_before < 2; is_before++) {
    Unit *unit = begin(state, 1, 64);
    shared(unit_thread(unit, 0, 40), WRITE, TILE, EMU_WRITE, 0);
    if (is_before)
      unit_barrier(unit, 0);
    unit_exit(unit_thread(unit, 0, 40));
    unit_arrive(warp(unit, 0, 0), 0, true);
    unit_arrive((Who){unit, 0, 1, ~(1u << 8)}, 0, true);
    unit_complete(unit, 0, 0);
    shared(unit_thread(unit, 0, 3), READ, TILE, EMU_READ, 0);
    shared(unit_thread(unit, 0, 3), AGAIN, TILE + 4, EMU_WRITE, 0);
    if (is_before)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_BARRIER_MISSING, WRITE, READ);
  }
}

// --- warps

static void a_warp_is_not_in_lock_step(void **state) {
  for (uint32_t is_right = 0; is_right < 2; is_right++) {
    Unit *unit = begin(state, 1, 32);
    shared(unit_thread(unit, 0, 3), WRITE, TILE, EMU_WRITE, 0);
    if (is_right)
      unit_sync_warp(warp(unit, 0, 0));
    shared(unit_thread(unit, 0, 4), READ, TILE, EMU_READ, 0);
    if (is_right)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_WARP_SYNC_MISSING, WRITE, READ);
  }
}

static void a_warp_barrier_orders_its_mask(void **state) {
  for (uint32_t lane = 0; lane < 2; lane++) {
    Unit *unit = begin(state, 1, 32);
    shared(unit_thread(unit, 0, 3), WRITE, TILE, EMU_WRITE, 0);
    unit_sync_warp((Who){unit, 0, 0, 0xff});
    shared(unit_thread(unit, 0, lane ? 9 : 7), READ, TILE, EMU_READ, 0);
    if (lane)
      unit_expect(unit, RULE_WARP_SYNC_MISSING, WRITE, READ);
    else
      unit_expect_none(unit);
  }
}

static void lanes_of_one_instruction_race(void **state) {
  Unit *unit = begin(state, 1, 32);
  unit->old_value = 99;
  unit_access((Who){unit, 0, 0, 3}, WRITE, TILE,
              (Access){.kind = EMU_WRITE, .is_shared = true, .value = 5});
  unit_expect(unit, RULE_SAME_VALUE, WRITE, WRITE);
}

// --- clusters

static void meet_cluster(Unit *unit, uint32_t first, bool is_ordering) {
  EmuArrival arrival = {.is_cluster = true, .is_ordering = is_ordering};
  const EmuWatcher *watcher = unit->watcher;
  for (uint32_t b = first; b < first + 2; b++) {
    EmuWarp emu = unit_warp(warp(unit, b, 0), 0);
    watcher->arrive(watcher->context, &emu, &arrival);
  }
  watcher->complete(watcher->context, &unit->blocks[first], &arrival);
  for (uint32_t b = first; b < first + 2; b++) {
    EmuWarp emu = unit_warp(warp(unit, b, 0), 0);
    watcher->cluster_wait(watcher->context, &emu);
  }
}

static void a_cluster_barrier_orders(void **state) {
  for (uint32_t kind = 0; kind < 4; kind++) {
    Unit *unit = begin_clusters(state);
    shared(unit_thread(unit, 0, 3), WRITE, TILE, EMU_WRITE, 0);
    if (kind == 1)
      unit_fence(warp(unit, 0, 0), SEM_ACQ_REL, SCOPE_CLUSTER);
    if (kind < 3)
      meet_cluster(unit, 0, kind == 0);
    else
      meet_cluster(unit, 2, true);
    shared(unit_thread(unit, 1, 4), READ, TILE, EMU_READ, 0);
    if (kind < 2)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_NO_SYNCHRONISATION, WRITE, READ);
  }
}

static void cluster_scope_reaches_the_cluster(void **state) {
  for (uint32_t to = 1; to < 3; to++) {
    Unit *unit = begin_clusters(state);
    unit_write(unit_thread(unit, 0, 0), WRITE, DATA);
    unit_store(unit_thread(unit, 0, 0), WRITE_FLAG, FLAG, SEM_RELEASE, SCOPE_CLUSTER);
    unit_load(unit_thread(unit, to, 0), READ_FLAG, FLAG, SEM_ACQUIRE, SCOPE_CLUSTER);
    unit_read(unit_thread(unit, to, 0), READ, DATA);
    if (to == 1) {
      unit_expect_none(unit);
      continue;
    }
    assert_int_equal(race_finding_count(unit->findings), 2);
    race_end(unit->race);
  }
}

// --- launches

static Unit *begin_launches(void **state, bool is_ordered) {
  Unit *unit = ARENA_NEW(*state, Unit);
  unit_prepare(unit, *state);
  unit_add_grid(unit, 2, 32);
  unit_add_grid(unit, 2, 32)->after = is_ordered ? 0 : UINT32_MAX;
  unit_watch(unit, (RaceOptions){0});
  return unit;
}

static void streams_order_launches(void **state) {
  for (uint32_t is_ordered = 0; is_ordered < 2; is_ordered++) {
    Unit *unit = begin_launches(state, is_ordered);
    unit_begin_grid(unit, 0);
    unit_write(unit_thread(unit, 1, 3), WRITE, DATA);
    unit_access(warp(unit, 0, 0), AGAIN, DATA + 256, (Access){.kind = EMU_WRITE, .is_spread = 1});
    unit_end_grid(unit, 0);
    unit_begin_grid(unit, 1);
    unit_read(unit_thread(unit, 2, 5), READ, DATA);
    if (is_ordered)
      unit_access(warp(unit, 3, 0), COPY, DATA + 256, (Access){.kind = EMU_READ, .is_spread = 1});
    if (is_ordered)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_STREAM_ORDER_MISSING, WRITE, READ);
  }
}

static void dependent_launches_wait(void **state) {
  for (uint32_t kind = 0; kind < 3; kind++) {
    Unit *unit = begin_launches(state, true);
    unit->grids[1].is_dependent = true;
    unit_begin_grid(unit, 0);
    Who writer = unit_thread(unit, 1, 3), reader = unit_thread(unit, 2, 5);
    unit_write(writer, WRITE, DATA);
    if (kind == 2)
      unit_fence(writer, SEM_RELEASE, SCOPE_GPU);
    EmuWarp emu = unit_warp(writer, 0);
    unit->watcher->launch_dependents(unit->watcher->context, &emu);
    if (kind == 1)
      unit_end_grid(unit, 0);
    unit_begin_grid(unit, 1);
    emu = unit_warp(reader, 0);
    if (kind == 1)
      unit->watcher->grid_wait(unit->watcher->context, &emu, 0);
    unit_read(reader, READ, DATA);
    if (kind)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_STREAM_ORDER_MISSING, WRITE, READ);
  }
}

static void the_host_needs_system_scope(void **state) {
  for (uint32_t is_wide = 0; is_wide < 2; is_wide++) {
    Unit *unit = begin_launches(state, false);
    unit->grids[1].is_host = true;
    Scope scope = is_wide ? SCOPE_SYS : SCOPE_GPU;
    unit_begin_grid(unit, 0);
    unit_begin_grid(unit, 1);
    unit_write(unit_thread(unit, 0, 0), WRITE, DATA);
    unit_store(unit_thread(unit, 0, 0), WRITE_FLAG, FLAG, SEM_RELEASE, scope);
    unit_load(unit_thread(unit, 2, 0), READ_FLAG, FLAG, SEM_ACQUIRE, SCOPE_SYS);
    unit_read(unit_thread(unit, 2, 0), READ, DATA);
    if (is_wide) {
      unit_expect_none(unit);
      continue;
    }
    assert_int_equal(race_finding_count(unit->findings), 2);
    assert_int_equal(unit->findings->items[1].sub, RULE_SCOPE_TOO_NARROW);
    race_end(unit->race);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(a_block_barrier_orders),
      UNIT_TEST(a_read_before_the_next_write_needs_one_too),
      UNIT_TEST(every_reader_counts),
      UNIT_TEST(arrive_and_sync_order_one_way),
      UNIT_TEST(what_follows_an_arrival_is_not_ordered),
      UNIT_TEST(exits_are_not_arrivals),
      UNIT_TEST(a_warp_is_not_in_lock_step),
      UNIT_TEST(a_warp_barrier_orders_its_mask),
      UNIT_TEST(lanes_of_one_instruction_race),
      UNIT_TEST(a_cluster_barrier_orders),
      UNIT_TEST(cluster_scope_reaches_the_cluster),
      UNIT_TEST(streams_order_launches),
      UNIT_TEST(dependent_launches_wait),
      UNIT_TEST(the_host_needs_system_scope),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
