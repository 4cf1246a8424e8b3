// Reads of a row that are told together, and atomics: what a later access makes of them.
#include "race_unit.h"

#include "race/state.h"

enum { BLOCKS = 4, DATA = 0x1000, FLAG = 0x4000 };
static const uint32_t ALL = UINT32_MAX;

static Unit *start_with(Arena *arena, RaceExact *exact) {
  Unit *unit = ARENA_NEW(arena, Unit);
  unit_prepare(unit, arena);
  for (uint32_t i = 0; i < 2; i++)
    unit_add_grid(unit, BLOCKS, 64);
  unit->grids[1].after = 0;
  unit_watch(unit, (RaceOptions){.exact = exact ? exact : race_exact_new(&unit->program, arena)});
  unit_begin_grid(unit, 0);
  return unit;
}

static Unit *start(Arena *arena) {
  return start_with(arena, NULL);
}

// The word `first` + i of the row by each block's lane i.
static void read_by_all(Unit *unit, uint32_t place, uint32_t first_block) {
  for (uint32_t i = 0; i < BLOCKS; i++)
    unit_read(unit_thread(unit, first_block + i, i), place, DATA + 4 * i);
}

static void expect_undecided(Unit *unit) {
  assert_true(race_is_undecided(unit->race));
  race_end(unit->race);
}

static void expect_decided(Unit *unit) {
  assert_false(race_is_undecided(unit->race));
  unit_expect_none(unit);
}

static void expect_race(Unit *unit) {
  assert_false(race_is_undecided(unit->race));
  assert_int_equal(race_finding_count(unit->findings), 1);
  race_end(unit->race);
}

static void a_late_write_is_not_decided(void **state) {
  Unit *unit = start(*state);
  read_by_all(unit, 1, 0);
  unit_write(unit_thread(unit, 3, 40), 2, DATA);
  expect_undecided(unit);
}

static void the_next_run_decides(void **state) {
  Unit *unit = start(*state);
  RaceExact *exact = unit->race->options.exact;
  read_by_all(unit, 1, 0);
  unit_write(unit_thread(unit, 3, 40), 2, DATA);
  expect_undecided(unit);
  unit = start_with(*state, exact);
  read_by_all(unit, 1, 0);
  unit_write(unit_thread(unit, 3, 40), 2, DATA);
  expect_race(unit);
}

static void a_write_of_the_next_launch_is_behind_all_reads(void **state) {
  Unit *unit = start(*state);
  read_by_all(unit, 1, 0);
  unit_end_grid(unit, 0);
  unit_begin_grid(unit, 1);
  unit_write(unit_thread(unit, BLOCKS, 40), 2, DATA);
  expect_decided(unit);
}

static void a_write_behind_a_barrier_is_behind_the_reads_of_the_block(void **state) {
  Unit *unit = start(*state);
  for (uint32_t i = 0; i < 64; i += 5)
    unit_read(unit_thread(unit, 2, i), 1, DATA + i % 7 * 4);
  unit_barrier(unit, 2);
  unit_write(unit_thread(unit, 2, 40), 2, DATA);
  expect_decided(unit);
}

static void a_write_before_a_barrier_is_not(void **state) {
  Unit *unit = start(*state);
  unit_barrier(unit, 2);
  for (uint32_t i = 0; i < 64; i += 5)
    unit_read(unit_thread(unit, 2, i), 1, DATA + i % 7 * 4);
  unit_write(unit_thread(unit, 2, 40), 2, DATA);
  expect_undecided(unit);
}

// A barrier of the grid, by a counter.
static void meet(Unit *unit) {
  for (uint32_t i = 0; i < BLOCKS; i++) {
    unit_barrier(unit, i);
    unit_atomic(unit_thread(unit, i, 0), 50, FLAG, SEM_ACQ_REL, SCOPE_GPU);
  }
  for (uint32_t i = 0; i < BLOCKS; i++) {
    unit_load(unit_thread(unit, i, 0), 51, FLAG, SEM_ACQUIRE, SCOPE_GPU);
    unit_barrier(unit, i);
  }
}

static void a_write_behind_a_barrier_of_the_grid_is_behind_all(void **state) {
  Unit *unit = start(*state);
  read_by_all(unit, 1, 0);
  meet(unit);
  unit_write(unit_thread(unit, 1, 40), 2, DATA);
  expect_decided(unit);
}

static void a_read_of_what_the_launch_has_written_races(void **state) {
  Unit *unit = start(*state);
  read_by_all(unit, 1, 0);
  meet(unit);
  unit_write(unit_thread(unit, 1, 40), 2, DATA);
  unit_read(unit_thread(unit, 2, 7), 3, DATA);
  expect_race(unit);
}

static void reads_of_two_launches_are_both_known(void **state) {
  Unit *unit = start(*state);
  unit_write(unit_thread(unit, 1, 40), 2, DATA);
  unit_end_grid(unit, 0);
  unit_begin_grid(unit, 1);
  read_by_all(unit, 1, BLOCKS);
  unit_write(unit_thread(unit, BLOCKS, 0), 3, DATA + 4);
  expect_undecided(unit);
}

// --- atomics

static void count_by_all(Unit *unit, uint32_t first_block) {
  for (uint32_t i = 0; i < BLOCKS; i++)
    unit_atomic((Who){unit, first_block + i, 1, ALL}, 1, DATA, SEM_RELAXED, SCOPE_GPU);
}

static void a_plain_read_among_atomics_is_not_decided(void **state) {
  Unit *unit = start(*state);
  count_by_all(unit, 0);
  unit_read(unit_thread(unit, 3, 2), 2, DATA);
  expect_undecided(unit);
}

static void atomics_of_a_block_are_not_decided(void **state) {
  Unit *unit = start(*state);
  count_by_all(unit, 0);
  unit_atomic(unit_thread(unit, 3, 2), 2, DATA, SEM_RELAXED, SCOPE_CTA);
  expect_undecided(unit);
}

static void releases_and_atomics_go_together(void **state) {
  Unit *unit = start(*state);
  count_by_all(unit, 0);
  unit_atomic(unit_thread(unit, 3, 2), 2, DATA, SEM_ACQ_REL, SCOPE_GPU);
  count_by_all(unit, 0);
  unit_load(unit_thread(unit, 2, 2), 3, DATA, SEM_ACQUIRE, SCOPE_GPU);
  expect_decided(unit);
}

static void a_plain_read_behind_a_barrier_of_the_grid_is_behind_all_atomics(void **state) {
  Unit *unit = start(*state);
  count_by_all(unit, 0);
  meet(unit);
  unit_read(unit_thread(unit, 3, 2), 2, DATA);
  unit_atomic(unit_thread(unit, 3, 2), 3, DATA, SEM_RELAXED, SCOPE_GPU);
  expect_decided(unit);
}

static void an_atomic_races_with_a_plain_read_behind_other_atomics(void **state) {
  Unit *unit = start(*state);
  count_by_all(unit, 0);
  meet(unit);
  unit_read(unit_thread(unit, 3, 2), 2, DATA);
  unit_atomic(unit_thread(unit, 1, 2), 3, DATA, SEM_RELAXED, SCOPE_GPU);
  expect_race(unit);
}

// --- strong reads

static void poll_by_all(Unit *unit, Sem sem) {
  for (uint32_t i = 0; i < BLOCKS; i++)
    unit_load(unit_thread(unit, i, i), 1, FLAG, sem, SCOPE_GPU);
}

static void a_late_write_to_what_is_polled_is_not_decided(void **state) {
  Unit *unit = start(*state);
  poll_by_all(unit, SEM_ACQUIRE);
  unit_write(unit_thread(unit, 3, 40), 2, FLAG);
  expect_undecided(unit);
}

static void polls_and_plain_reads_go_together(void **state) {
  Unit *unit = start(*state);
  poll_by_all(unit, SEM_ACQUIRE);
  unit_read(unit_thread(unit, 3, 40), 2, FLAG);
  poll_by_all(unit, SEM_ACQUIRE);
  expect_decided(unit);
}

static void a_poll_behind_a_plain_write_races(void **state) {
  Unit *unit = start(*state);
  unit_write(unit_thread(unit, 0, 40), 2, FLAG);
  unit_load(unit_thread(unit, 1, 1), 1, FLAG, SEM_ACQUIRE, SCOPE_GPU);
  expect_race(unit);
}

static void a_poll_of_its_own_plain_write_does_not_open_the_row(void **state) {
  Unit *unit = start(*state);
  poll_by_all(unit, SEM_RELAXED);
  unit_end_grid(unit, 0);
  unit_begin_grid(unit, 1);
  unit_write(unit_thread(unit, BLOCKS, 0), 2, FLAG);
  unit_load(unit_thread(unit, BLOCKS, 0), 1, FLAG, SEM_RELAXED, SCOPE_GPU);
  unit_load(unit_thread(unit, BLOCKS + 1, 0), 1, FLAG, SEM_RELAXED, SCOPE_GPU);
  expect_race(unit);
}

// The data of block 0, read by block 1 behind its last poll.
static Unit *start_passing(Arena *arena, Sem poll) {
  Unit *unit = start(arena);
  unit_write(unit_thread(unit, 0, 0), 2, DATA);
  poll_by_all(unit, poll);
  unit_store(unit_thread(unit, 0, 0), 3, FLAG, SEM_RELEASE, SCOPE_GPU);
  return unit;
}

static void a_poll_that_is_remembered_acquires(void **state) {
  Unit *unit = start_passing(*state, SEM_ACQUIRE);
  poll_by_all(unit, SEM_ACQUIRE);
  unit_read(unit_thread(unit, 1, 1), 4, DATA);
  expect_decided(unit);
}

static void a_relaxed_poll_that_is_remembered_waits_for_a_fence(void **state) {
  Unit *unit = start_passing(*state, SEM_RELAXED);
  poll_by_all(unit, SEM_RELAXED);
  unit_fence(unit_thread(unit, 1, 1), SEM_ACQ_REL, SCOPE_GPU);
  unit_read(unit_thread(unit, 1, 1), 4, DATA);
  expect_decided(unit);
}

static void a_relaxed_poll_alone_acquires_nothing(void **state) {
  Unit *unit = start_passing(*state, SEM_RELAXED);
  poll_by_all(unit, SEM_RELAXED);
  unit_read(unit_thread(unit, 1, 1), 4, DATA);
  expect_race(unit);
}

static void a_relaxed_store_of_one_who_polls_ends_what_was_released(void **state) {
  Unit *unit = start_passing(*state, SEM_RELAXED);
  unit_store(unit_thread(unit, 2, 2), 5, FLAG, SEM_RELAXED, SCOPE_GPU);
  unit_load(unit_thread(unit, 1, 1), 1, FLAG, SEM_ACQUIRE, SCOPE_GPU);
  unit_read(unit_thread(unit, 1, 1), 4, DATA);
  expect_race(unit);
}

static void an_atomic_of_a_narrow_scope_among_polls_is_not_decided(void **state) {
  Unit *unit = start(*state);
  poll_by_all(unit, SEM_RELAXED);
  unit_atomic(unit_thread(unit, 3, 2), 2, FLAG, SEM_RELAXED, SCOPE_CTA);
  expect_undecided(unit);
}

// --- whole rows of other blocks

static void use_row(Unit *unit, uint32_t block, uint32_t place, bool is_write) {
  unit_access((Who){unit, block, 0, ALL}, place, DATA,
              (Access){.kind = is_write ? EMU_WRITE : EMU_READ, .is_spread = true});
}

static void rows_behind_a_barrier_of_the_grid_stay_rows(void **state) {
  Unit *unit = start(*state);
  use_row(unit, 0, 1, true);
  meet(unit);
  use_row(unit, 1, 2, false);
  meet(unit);
  use_row(unit, 2, 3, true);
  const Page *page = shadow_page_of_rows(&unit->race->global, DATA);
  assert_null(atomic_load(&page->cells));
  expect_decided(unit);
}

static void a_row_of_another_block_races(void **state) {
  Unit *unit = start(*state);
  meet(unit);
  use_row(unit, 0, 1, true);
  use_row(unit, 1, 2, false);
  expect_race(unit);
}

static void a_row_that_another_block_has_read_races(void **state) {
  Unit *unit = start(*state);
  meet(unit);
  use_row(unit, 0, 1, true);
  meet(unit);
  use_row(unit, 1, 2, false);
  use_row(unit, 0, 3, true);
  expect_race(unit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(a_late_write_is_not_decided),
      UNIT_TEST(the_next_run_decides),
      UNIT_TEST(a_write_of_the_next_launch_is_behind_all_reads),
      UNIT_TEST(a_write_behind_a_barrier_is_behind_the_reads_of_the_block),
      UNIT_TEST(a_write_before_a_barrier_is_not),
      UNIT_TEST(a_write_behind_a_barrier_of_the_grid_is_behind_all),
      UNIT_TEST(a_read_of_what_the_launch_has_written_races),
      UNIT_TEST(reads_of_two_launches_are_both_known),
      UNIT_TEST(a_plain_read_among_atomics_is_not_decided),
      UNIT_TEST(atomics_of_a_block_are_not_decided),
      UNIT_TEST(releases_and_atomics_go_together),
      UNIT_TEST(a_plain_read_behind_a_barrier_of_the_grid_is_behind_all_atomics),
      UNIT_TEST(an_atomic_races_with_a_plain_read_behind_other_atomics),
      UNIT_TEST(a_late_write_to_what_is_polled_is_not_decided),
      UNIT_TEST(polls_and_plain_reads_go_together),
      UNIT_TEST(a_poll_behind_a_plain_write_races),
      UNIT_TEST(a_poll_of_its_own_plain_write_does_not_open_the_row),
      UNIT_TEST(a_poll_that_is_remembered_acquires),
      UNIT_TEST(a_relaxed_poll_that_is_remembered_waits_for_a_fence),
      UNIT_TEST(a_relaxed_poll_alone_acquires_nothing),
      UNIT_TEST(a_relaxed_store_of_one_who_polls_ends_what_was_released),
      UNIT_TEST(an_atomic_of_a_narrow_scope_among_polls_is_not_decided),
      UNIT_TEST(rows_behind_a_barrier_of_the_grid_stay_rows),
      UNIT_TEST(a_row_of_another_block_races),
      UNIT_TEST(a_row_that_another_block_has_read_races),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
