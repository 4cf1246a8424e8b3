// Release and acquire, their scopes, and fences: each right way and each way to miss it.
#include "race_unit.h"

enum { DATA = 0x1000, FLAG = 0x2000, OTHER = 0x3000 };
enum { WRITE_DATA = 1, WRITE_FLAG, READ_FLAG, READ_DATA, UPDATE_FLAG, AGAIN };

typedef struct Pass {
  Sem write, read;
  Scope write_scope, read_scope;
  Sem before, after; // fences, SEM_WEAK: none
  Scope before_scope, after_scope;
} Pass;

// Message passing from thread 0 of block 0 to a thread of block `to`.
static void pass_message(Unit *unit, uint32_t to, Pass pass) {
  Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, to, 33);
  unit_write(writer, WRITE_DATA, DATA);
  if (pass.before != SEM_WEAK)
    unit_fence(writer, pass.before, pass.before_scope);
  unit_store(writer, WRITE_FLAG, FLAG, pass.write, pass.write_scope);
  unit_load(reader, READ_FLAG, FLAG, pass.read, pass.read_scope);
  if (pass.after != SEM_WEAK)
    unit_fence(reader, pass.after, pass.after_scope);
  unit_read(reader, READ_DATA, DATA);
}

static void check_passes(void **state, const Pass *passes, uint32_t count, uint32_t to,
                         RuleNumber sub) {
  for (uint32_t i = 0; i < count; i++) {
    Unit *unit = ARENA_NEW(*state, Unit);
    unit_start(unit, *state, 2, 64);
    unit->instructions[AGAIN].op = IR_FENCE;
    pass_message(unit, to, passes[i]);
    if (sub == RULE_COUNT)
      unit_expect_none(unit);
    else
      unit_expect(unit, sub, WRITE_DATA, READ_DATA);
  }
}

#define CHECK(passes, to, sub) check_passes(state, passes, sizeof passes / sizeof *passes, to, sub)

static void release_and_acquire_order(void **state) {
  const Pass right[] = {
      {SEM_RELEASE, SEM_ACQUIRE, SCOPE_GPU, SCOPE_GPU, 0, 0, 0, 0},
      {SEM_RELEASE, SEM_ACQUIRE, SCOPE_SYS, SCOPE_GPU, 0, 0, 0, 0},
      {SEM_RELAXED, SEM_RELAXED, SCOPE_GPU, SCOPE_GPU, SEM_ACQ_REL, SEM_ACQ_REL, SCOPE_GPU,
       SCOPE_GPU},
      {SEM_RELAXED, SEM_ACQUIRE, SCOPE_GPU, SCOPE_GPU, SEM_RELEASE, 0, SCOPE_SYS, 0},
      {SEM_RELEASE, SEM_RELAXED, SCOPE_GPU, SCOPE_GPU, 0, SEM_ACQUIRE, 0, SCOPE_GPU},
      {SEM_RELAXED, SEM_RELAXED, SCOPE_SYS, SCOPE_SYS, SEM_SC, SEM_SC, SCOPE_GPU, SCOPE_GPU},
  };
  CHECK(right, 1, RULE_COUNT);
  const Pass in_block[] = {
      {SEM_RELEASE, SEM_ACQUIRE, SCOPE_CTA, SCOPE_CTA, 0, 0, 0, 0},
      {SEM_RELAXED, SEM_RELAXED, SCOPE_CTA, SCOPE_GPU, SEM_SC, SEM_ACQ_REL, SCOPE_CTA, SCOPE_CTA},
      {SEM_RELEASE, SEM_ACQUIRE, SCOPE_GPU, SCOPE_CTA, 0, 0, 0, 0},
  };
  CHECK(in_block, 0, RULE_COUNT);
}

static void scopes_have_to_reach(void **state) {
  const Pass wrong[] = {
      {SEM_RELEASE, SEM_ACQUIRE, SCOPE_CTA, SCOPE_GPU, 0, 0, 0, 0},
      {SEM_RELEASE, SEM_ACQUIRE, SCOPE_CTA, SCOPE_SYS, 0, 0, 0, 0},
  };
  // The flag itself races then, too: look for the data's.
  for (uint32_t i = 0; i < 2; i++) {
    Unit *unit = ARENA_NEW(*state, Unit);
    unit_start(unit, *state, 2, 64);
    pass_message(unit, 1, wrong[i]);
    assert_int_equal(race_finding_count(unit->findings), 2);
    for (uint32_t j = 0; j < 2; j++)
      assert_int_equal(unit->findings->items[j].sub, RULE_SCOPE_TOO_NARROW);
    race_end(unit->race);
  }
  // The communication is morally strong, the fence is not.
  const Pass narrow_fence[] = {
      {SEM_RELAXED, SEM_ACQUIRE, SCOPE_GPU, SCOPE_GPU, SEM_ACQ_REL, 0, SCOPE_CTA, 0},
      {SEM_RELEASE, SEM_RELAXED, SCOPE_GPU, SCOPE_GPU, 0, SEM_ACQ_REL, 0, SCOPE_CTA},
      {SEM_RELAXED, SEM_RELAXED, SCOPE_GPU, SCOPE_GPU, SEM_SC, SEM_SC, SCOPE_GPU, SCOPE_CTA},
  };
  CHECK(narrow_fence, 1, RULE_SCOPE_TOO_NARROW);
}

static void a_release_or_acquire_is_missing(void **state) {
  const Pass no_release[] = {
      {SEM_RELAXED, SEM_ACQUIRE, SCOPE_GPU, SCOPE_GPU, 0, 0, 0, 0},
      {SEM_RELAXED, SEM_RELAXED, SCOPE_GPU, SCOPE_GPU, 0, SEM_ACQ_REL, 0, SCOPE_GPU},
      {SEM_RELAXED, SEM_ACQUIRE, SCOPE_GPU, SCOPE_GPU, SEM_ACQUIRE, 0, SCOPE_GPU, 0},
  };
  CHECK(no_release, 1, RULE_RELEASE_MISSING);
  const Pass no_acquire[] = {
      {SEM_RELEASE, SEM_RELAXED, SCOPE_GPU, SCOPE_GPU, 0, 0, 0, 0},
      {SEM_RELAXED, SEM_RELAXED, SCOPE_GPU, SCOPE_GPU, SEM_SC, 0, SCOPE_GPU, 0},
      {SEM_RELEASE, SEM_RELAXED, SCOPE_GPU, SCOPE_GPU, 0, SEM_RELEASE, 0, SCOPE_GPU},
  };
  CHECK(no_acquire, 1, RULE_ACQUIRE_MISSING);
}

static void begin(Unit **unit, void **state, RaceOptions options) {
  *unit = ARENA_NEW(*state, Unit);
  unit_prepare(*unit, *state);
  unit_add_grid(*unit, 3, 64);
  unit_watch(*unit, options);
  unit_begin_grid(*unit, 0);
}

static void plain_flags_do_not_order(void **state) {
  for (uint32_t fences = 0; fences < 2; fences++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){0});
    Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, 1, 0);
    if (fences)
      unit->instructions[AGAIN].op = IR_FENCE;
    race_end(unit->race);
    unit_watch(unit, (RaceOptions){0});
    unit_begin_grid(unit, 0);
    unit_write(writer, WRITE_DATA, DATA);
    if (fences)
      unit_fence(writer, SEM_ACQ_REL, SCOPE_GPU);
    unit_write(writer, WRITE_FLAG, FLAG);
    unit_read(reader, READ_FLAG, FLAG);
    if (fences)
      unit_fence(reader, SEM_ACQ_REL, SCOPE_GPU);
    unit_read(reader, READ_DATA, DATA);
    assert_int_equal(race_finding_count(unit->findings), 2);
    const RaceFinding *data = &unit->findings->items[1];
    assert_int_equal(data->sides[0].instruction - unit->instructions, WRITE_DATA);
    assert_int_equal(data->sub, fences ? RULE_FENCE_WITHOUT_FLAG : RULE_PLAIN_FLAG);
    race_end(unit->race);
  }
}

// Fences of sequential consistency have some order, but any that the values allow.
static void sc_fences_alone_do_not_order(void **state) {
  Unit *unit;
  begin(&unit, state, (RaceOptions){0});
  Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, 1, 0);
  unit_write(writer, WRITE_DATA, DATA);
  unit_fence(writer, SEM_SC, SCOPE_GPU);
  unit_fence(reader, SEM_SC, SCOPE_GPU);
  unit_read(reader, READ_DATA, DATA);
  unit_expect(unit, RULE_NO_SYNCHRONISATION, WRITE_DATA, READ_DATA);
}

// Who counts last has its fences behind those before the counts that it saw: of all threads of the
// other block, as the barrier puts them before the count. There is no release pattern of theirs.
static void what_a_counter_shows_orders_sc_fences(void **state) {
  for (uint32_t kind = 0; kind < 3; kind++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){.is_cuda = kind == 1});
    Who worker = unit_thread(unit, 0, 40), leader = unit_thread(unit, 0, 0);
    Who last = unit_thread(unit, 1, 0), other = unit_thread(unit, 1, 50);
    unit_write(worker, WRITE_DATA, DATA);
    unit_fence(worker, SEM_SC, SCOPE_GPU);
    if (kind != 2) // 2: the leader does not wait for the worker
      unit_barrier(unit, 0);
    unit_atomic(leader, UPDATE_FLAG, FLAG, SEM_RELAXED, SCOPE_GPU);
    unit_atomic(last, UPDATE_FLAG, FLAG, SEM_RELAXED, SCOPE_GPU);
    unit_barrier(unit, 1);
    unit_fence(other, SEM_SC, SCOPE_GPU);
    unit_read(other, READ_DATA, DATA);
    if (kind == 0)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_RELEASE_MISSING, WRITE_DATA, READ_DATA);
  }
}

static void sc_fences_have_to_reach(void **state) {
  const Scope scopes[][2] = {
      {SCOPE_CTA, SCOPE_CTA}, {SCOPE_CTA, SCOPE_GPU}, {SCOPE_GPU, SCOPE_CTA}};
  for (uint32_t to = 0; to < 2; to++)
    for (uint32_t i = 0; i < 3; i++) {
      Unit *unit;
      begin(&unit, state, (RaceOptions){0});
      Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, to, 40);
      unit_write(writer, WRITE_DATA, DATA);
      unit_fence(writer, SEM_SC, scopes[i][0]);
      // What a write to the flag overwrites has no part in a release pattern.
      unit_store(writer, WRITE_FLAG, FLAG, SEM_RELAXED, SCOPE_GPU);
      unit_store(reader, READ_FLAG, FLAG, SEM_RELAXED, SCOPE_GPU);
      unit_fence(reader, SEM_SC, scopes[i][1]);
      unit_read(reader, READ_DATA, DATA);
      if (to)
        unit_expect(unit, RULE_NO_SYNCHRONISATION, WRITE_DATA, READ_DATA);
      else
        unit_expect_none(unit);
    }
}

// A flag is read behind a fence, then overwritten: who acquires it has its fence behind that one.
static void releases_pass_on_what_they_overwrite(void **state) {
  for (uint32_t releases = 0; releases < 2; releases++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){0});
    Who first = unit_thread(unit, 0, 0), middle = unit_thread(unit, 1, 0);
    Who last = unit_thread(unit, 1, 40);
    unit_write(first, WRITE_DATA, DATA);
    unit_fence(first, SEM_SC, SCOPE_GPU);
    unit_load(first, AGAIN, FLAG, SEM_RELAXED, SCOPE_GPU);
    unit_store(middle, WRITE_FLAG, FLAG, releases ? SEM_RELEASE : SEM_RELAXED, SCOPE_GPU);
    unit_load(last, READ_FLAG, FLAG, SEM_ACQUIRE, SCOPE_GPU);
    unit_fence(last, SEM_SC, SCOPE_GPU);
    unit_read(last, READ_DATA, DATA);
    if (releases)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_NO_SYNCHRONISATION, WRITE_DATA, READ_DATA);
  }
}

// G29, G30: a relaxed atomic in between carries the release on, if both see it.
static void atomics_continue_a_release(void **state) {
  for (uint32_t narrow = 0; narrow < 2; narrow++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){0});
    Who writer = unit_thread(unit, 0, 0), middle = unit_thread(unit, 1, 0);
    Who reader = unit_thread(unit, 2, 0);
    unit_write(writer, WRITE_DATA, DATA);
    unit_atomic(writer, WRITE_FLAG, FLAG, SEM_RELEASE, SCOPE_GPU);
    unit_atomic(middle, UPDATE_FLAG, FLAG, SEM_RELAXED, narrow ? SCOPE_CTA : SCOPE_GPU);
    unit_load(reader, READ_FLAG, FLAG, SEM_ACQUIRE, SCOPE_GPU);
    unit_read(reader, READ_DATA, DATA);
    if (!narrow) {
      unit_expect_none(unit);
      continue;
    }
    bool is_data_found = false;
    for (uint32_t i = 0; i < unit->findings->count; i++)
      is_data_found |=
          unit->findings->items[i].sides[0].instruction == &unit->instructions[WRITE_DATA];
    assert_true(is_data_found);
    race_end(unit->race);
  }
}

static void a_store_in_between_ends_a_release(void **state) {
  Unit *unit;
  begin(&unit, state, (RaceOptions){0});
  Who writer = unit_thread(unit, 0, 0), middle = unit_thread(unit, 1, 0);
  Who reader = unit_thread(unit, 2, 0);
  unit_write(writer, WRITE_DATA, DATA);
  unit_store(writer, WRITE_FLAG, FLAG, SEM_RELEASE, SCOPE_GPU);
  unit_store(middle, UPDATE_FLAG, FLAG, SEM_RELAXED, SCOPE_GPU);
  unit_load(reader, READ_FLAG, FLAG, SEM_ACQUIRE, SCOPE_GPU);
  unit_read(reader, READ_DATA, DATA);
  unit_expect(unit, RULE_RELEASE_MISSING, WRITE_DATA, READ_DATA);
}

// G31: so does a later store of the releasing thread, in PTX.
static void a_later_store_of_the_thread_continues(void **state) {
  for (uint32_t cuda = 0; cuda < 2; cuda++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){.is_cuda = cuda});
    Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, 2, 0);
    unit_write(writer, WRITE_DATA, DATA);
    unit_store(writer, WRITE_FLAG, FLAG, SEM_RELEASE, SCOPE_GPU);
    unit_store(writer, UPDATE_FLAG, FLAG, SEM_RELAXED, SCOPE_GPU);
    unit_load(reader, READ_FLAG, FLAG, SEM_ACQUIRE, SCOPE_GPU);
    unit_read(reader, READ_DATA, DATA);
    if (cuda)
      unit_expect(unit, RULE_RELEASE_MISSING, WRITE_DATA, READ_DATA);
    else
      unit_expect_none(unit);
  }
}

// G32: a reduction has no result that a fence could make an acquire of.
static void reductions_do_not_acquire(void **state) {
  for (uint32_t reduction = 0; reduction < 2; reduction++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){0});
    Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, 2, 0);
    unit_write(writer, WRITE_DATA, DATA);
    unit_store(writer, WRITE_FLAG, FLAG, SEM_RELEASE, SCOPE_GPU);
    unit_access(
        reader, READ_FLAG, FLAG,
        (Access){
            .kind = EMU_ATOMIC, .sem = SEM_RELAXED, .scope = SCOPE_GPU, .is_reduction = reduction});
    unit_fence(reader, SEM_ACQ_REL, SCOPE_GPU);
    unit_write(reader, READ_DATA, DATA);
    if (reduction)
      unit_expect(unit, RULE_ACQUIRE_MISSING, WRITE_DATA, READ_DATA);
    else
      unit_expect_none(unit);
  }
}

// G27, G28: a barrier publishes nothing to other blocks by itself; a release behind it does.
static void a_release_carries_what_a_barrier_brought(void **state) {
  for (uint32_t release = 0; release < 2; release++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){0});
    Who worker = unit_thread(unit, 0, 40), leader = unit_thread(unit, 0, 0);
    Who other = unit_thread(unit, 1, 0), last = unit_thread(unit, 1, 50);
    unit_write(worker, WRITE_DATA, DATA);
    unit_barrier(unit, 0);
    unit_store(leader, WRITE_FLAG, FLAG, release ? SEM_RELEASE : SEM_RELAXED, SCOPE_GPU);
    unit_load(other, READ_FLAG, FLAG, SEM_ACQUIRE, SCOPE_GPU);
    unit_barrier(unit, 1);
    unit_read(last, READ_DATA, DATA);
    if (release)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_RELEASE_MISSING, WRITE_DATA, READ_DATA);
  }
}

static void volatile_is_strong_or_weak(void **state) {
  for (uint32_t weak = 0; weak < 2; weak++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){.volatile_is_weak = weak});
    Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, 1, 0);
    Access access = {.sem = SEM_RELAXED, .scope = SCOPE_SYS, .is_volatile = true};
    unit_write(writer, WRITE_DATA, DATA);
    unit_fence(writer, SEM_ACQ_REL, SCOPE_GPU);
    access.kind = EMU_WRITE;
    unit_access(writer, WRITE_FLAG, FLAG, access);
    access.kind = EMU_READ;
    unit_access(reader, READ_FLAG, FLAG, access);
    unit_fence(reader, SEM_ACQ_REL, SCOPE_GPU);
    unit_read(reader, READ_DATA, DATA);
    if (!weak) {
      unit_expect_none(unit);
      continue;
    }
    assert_int_equal(race_finding_count(unit->findings), 2);
    assert_int_equal(unit->findings->items[1].sub, RULE_VOLATILE_FLAG);
    race_end(unit->race);
  }
}

// A lock: the n-th owner sees what all before it did.
static void locks_order(void **state) {
  Unit *unit;
  begin(&unit, state, (RaceOptions){0});
  for (uint32_t i = 0; i < 30; i++) {
    Who owner = unit_thread(unit, i % 3, i * 7 % 64);
    unit_access(owner, READ_FLAG, FLAG,
                (Access){.kind = EMU_ATOMIC, .sem = SEM_RELAXED, .scope = SCOPE_GPU});
    unit_fence(owner, SEM_ACQ_REL, SCOPE_GPU);
    unit_read(owner, READ_DATA, DATA);
    unit_write(owner, WRITE_DATA, DATA);
    unit_fence(owner, SEM_ACQ_REL, SCOPE_GPU);
    unit_atomic(owner, WRITE_FLAG, FLAG, SEM_RELAXED, SCOPE_GPU);
  }
  unit_expect_none(unit);
}

// An atomic does not make the plain initialisation of the counter atomic.
static void a_plain_write_before_atomics_races(void **state) {
  Unit *unit;
  begin(&unit, state, (RaceOptions){0});
  unit_write(unit_thread(unit, 0, 0), WRITE_DATA, DATA);
  unit_atomic(unit_thread(unit, 0, 0), UPDATE_FLAG, DATA, SEM_RELAXED, SCOPE_GPU);
  unit_atomic(unit_thread(unit, 1, 0), AGAIN, DATA, SEM_RELAXED, SCOPE_GPU);
  unit_expect(unit, RULE_NO_SYNCHRONISATION, WRITE_DATA, AGAIN);
}

static void mixed_sizes_are_torn(void **state) {
  Unit *unit;
  begin(&unit, state, (RaceOptions){0});
  unit_access(unit_thread(unit, 0, 0), WRITE_DATA, DATA, (Access){.kind = EMU_WRITE, .size = 8});
  unit_read(unit_thread(unit, 1, 0), READ_DATA, DATA + 4);
  unit_expect(unit, RULE_TORN_ACCESS, WRITE_DATA, READ_DATA);
  begin(&unit, state, (RaceOptions){0});
  Access atomic = {.kind = EMU_ATOMIC, .size = 8, .sem = SEM_RELAXED, .scope = SCOPE_GPU};
  unit_access(unit_thread(unit, 0, 0), WRITE_DATA, DATA, atomic);
  unit_load(unit_thread(unit, 1, 0), READ_DATA, DATA + 4, SEM_RELAXED, SCOPE_GPU);
  unit_expect(unit, RULE_TORN_ACCESS, WRITE_DATA, READ_DATA);
}

// Parts of one aligned word, as atomics of less than 32 bits are compiled (spec H9).
static void atomic_parts_of_a_word_do_not_race(void **state) {
  Unit *unit;
  begin(&unit, state, (RaceOptions){0});
  Access part = {.kind = EMU_READ, .size = 2, .sem = SEM_RELAXED, .scope = SCOPE_GPU};
  unit_atomic(unit_thread(unit, 0, 0), WRITE_DATA, DATA, SEM_RELAXED, SCOPE_GPU);
  unit_access(unit_thread(unit, 1, 0), READ_DATA, DATA + 2, part);
  unit_expect_none(unit);
}

// The word is updated and a part of it loaded (0), of volatile loads (1) and of other parts (2) by
// accident; a part is stored and the word updated (3).
static void atomic_parts_of_a_word_synchronise(void **state) {
  for (uint32_t kind = 0; kind < 4; kind++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){0});
    Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, 1, 0);
    Access load = {.kind = EMU_READ,
                   .size = 2,
                   .sem = kind == 1 ? SEM_RELAXED : SEM_ACQUIRE,
                   .scope = kind == 1 ? SCOPE_SYS : SCOPE_GPU,
                   .is_volatile = kind == 1};
    Access store = {.kind = EMU_WRITE, .size = 2, .sem = SEM_RELEASE, .scope = SCOPE_GPU};
    unit_write(writer, WRITE_DATA, DATA);
    if (kind >= 2)
      unit_access(writer, WRITE_FLAG, FLAG, store);
    else
      unit_atomic(writer, WRITE_FLAG, FLAG, SEM_RELEASE, SCOPE_GPU);
    if (kind == 3)
      unit_atomic(reader, UPDATE_FLAG, FLAG, SEM_ACQUIRE, SCOPE_GPU);
    else
      unit_access(reader, READ_FLAG, kind == 2 ? FLAG + 2 : FLAG, load);
    if (kind == 1)
      unit_fence(reader, SEM_SC, SCOPE_GPU);
    unit_read(reader, READ_DATA, DATA);
    assert_int_equal(race_finding_count(unit->findings), kind == 1 ? 2 : kind == 2);
    race_end(unit->race);
  }
}

static void equal_values_are_a_rule_of_their_own(void **state) {
  for (uint32_t i = 0; i < 3; i++) {
    Unit *unit;
    begin(&unit, state, (RaceOptions){.hide_same_value = i == 2});
    unit->old_value = i == 1 ? 6 : 7;
    Access write = {.kind = EMU_WRITE, .value = 7};
    unit_access(unit_thread(unit, 0, 0), WRITE_DATA, DATA, write);
    unit_access(unit_thread(unit, 1, 0), AGAIN, DATA, write);
    if (i == 2)
      unit_expect_none(unit);
    else
      unit_expect(unit, i ? RULE_NO_SYNCHRONISATION : RULE_SAME_VALUE, WRITE_DATA, AGAIN);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(release_and_acquire_order),
      UNIT_TEST(scopes_have_to_reach),
      UNIT_TEST(a_release_or_acquire_is_missing),
      UNIT_TEST(plain_flags_do_not_order),
      UNIT_TEST(sc_fences_alone_do_not_order),
      UNIT_TEST(what_a_counter_shows_orders_sc_fences),
      UNIT_TEST(sc_fences_have_to_reach),
      UNIT_TEST(releases_pass_on_what_they_overwrite),
      UNIT_TEST(atomics_continue_a_release),
      UNIT_TEST(a_store_in_between_ends_a_release),
      UNIT_TEST(a_later_store_of_the_thread_continues),
      UNIT_TEST(reductions_do_not_acquire),
      UNIT_TEST(a_release_carries_what_a_barrier_brought),
      UNIT_TEST(volatile_is_strong_or_weak),
      UNIT_TEST(locks_order),
      UNIT_TEST(a_plain_write_before_atomics_races),
      UNIT_TEST(mixed_sizes_are_torn),
      UNIT_TEST(atomic_parts_of_a_word_do_not_race),
      UNIT_TEST(atomic_parts_of_a_word_synchronise),
      UNIT_TEST(equal_values_are_a_rule_of_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
