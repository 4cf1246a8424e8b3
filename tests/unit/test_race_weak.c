// Which older values a load may return: hand-made sequences, and the history that they come from.
#include "race_unit.h"

#include "race/history.h"

enum { DATA = 0x1000, FLAG = 0x2000, TRIES = 200 };
enum { WRITE_DATA = 1, WRITE_FLAG, READ_FLAG, READ_DATA, AGAIN };

// Elements of vectors, two of each.
enum { WRITE_PAIR = 10, READ_PAIR = 20, PAIR = 2 };

static void start(Unit *unit, Arena *arena, uint64_t seed, bool splits_vectors) {
  unit_prepare(unit, arena);
  for (uint32_t i = 0; i < PAIR; i++) {
    Instruction element = {.size = 4, .align = 8, .element_offset = (int8_t)(4 * i)};
    element.span = unit->instructions[WRITE_PAIR + i].span;
    unit->instructions[WRITE_PAIR + i] = unit->instructions[READ_PAIR + i] = element;
  }
  unit_add_grid(unit, 3, 64);
  unit_watch(unit, (RaceOptions){.is_weak = true, .seed = seed, .splits_vectors = splits_vectors});
  unit_begin_grid(unit, 0);
}

static void store(Who who, uint64_t address, Sem sem, Scope scope, uint64_t value) {
  unit_access(who, WRITE_DATA, address,
              (Access){.kind = EMU_WRITE, .sem = sem, .scope = scope, .value = value});
  who.unit->old_value = value;
}

// What a load of one lane returns when memory holds `newest`.
static uint64_t load_at(Who who, uint32_t place, uint64_t address, Sem sem, Scope scope,
                        uint64_t newest) {
  uint64_t addresses[32], values[32];
  for (uint32_t i = 0; i < 32; i++) {
    addresses[i] = address;
    values[i] = newest;
  }
  EmuAccess access = {.kind = EMU_READ,
                      .shape = EMU_SHAPE_SAME,
                      .is_strong = sem != SEM_WEAK,
                      .sem = sem,
                      .scope = scope,
                      .size = 4,
                      .addresses = addresses};
  EmuWarp warp = unit_warp(who, place);
  const EmuWatcher *watcher = who.unit->watcher;
  uint32_t replaced = watcher->choose(watcher->context, &warp, &access, values);
  assert_int_equal(replaced & ~who.lanes, 0);
  watcher->access(watcher->context, &warp, &access);
  for (uint32_t lane = 0; lane < 32; lane++)
    if (who.lanes >> lane & 1)
      return values[lane];
  return newest;
}

static uint64_t load(Who who, uint64_t address, Sem sem, Scope scope, uint64_t newest) {
  return load_at(who, READ_DATA, address, sem, scope, newest);
}

typedef uint64_t Sequence(Unit *unit); // the value that the last load of it returns

// The values that the sequence's last load returns under many seeds, as a mask.
static uint64_t outcomes_of(void **state, Sequence *sequence, bool splits_vectors) {
  uint64_t seen = 0;
  for (uint64_t seed = 1; seed <= TRIES; seed++) {
    ArenaMark mark = arena_mark(*state);
    Unit *unit = ARENA_NEW(*state, Unit);
    start(unit, *state, seed, splits_vectors);
    seen |= 1ull << sequence(unit);
    race_end(unit->race);
    arena_reset(*state, mark);
  }
  return seen;
}

static uint64_t outcomes(void **state, Sequence *sequence) {
  return outcomes_of(state, sequence, false);
}

// --- sequences

static uint64_t unordered(Unit *unit) {
  store(unit_thread(unit, 0, 0), DATA, SEM_RELAXED, SCOPE_GPU, 1);
  store(unit_thread(unit, 0, 0), DATA, SEM_RELAXED, SCOPE_GPU, 2);
  return load(unit_thread(unit, 1, 0), DATA, SEM_RELAXED, SCOPE_GPU, 2);
}

static uint64_t own(Unit *unit) {
  store(unit_thread(unit, 0, 0), DATA, SEM_WEAK, SCOPE_NONE, 1);
  store(unit_thread(unit, 1, 0), DATA, SEM_WEAK, SCOPE_NONE, 2);
  store(unit_thread(unit, 0, 0), DATA, SEM_WEAK, SCOPE_NONE, 3);
  return load(unit_thread(unit, 1, 0), DATA, SEM_WEAK, SCOPE_NONE, 3);
}

static uint64_t message(Unit *unit, Sem write, Sem read, Scope scope) {
  Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, 1, 0);
  store(writer, DATA, SEM_WEAK, SCOPE_NONE, 1);
  unit->old_value = 0;
  store(writer, FLAG, write, scope, 1);
  if (load(reader, FLAG, read, scope, 1) != 1)
    return 1;
  return load(reader, DATA, SEM_WEAK, SCOPE_NONE, 1);
}

static uint64_t ordered_message(Unit *unit) {
  return message(unit, SEM_RELEASE, SEM_ACQUIRE, SCOPE_GPU);
}

static uint64_t relaxed_message(Unit *unit) {
  return message(unit, SEM_RELAXED, SEM_ACQUIRE, SCOPE_GPU);
}

static uint64_t narrow_message(Unit *unit) {
  return message(unit, SEM_RELEASE, SEM_ACQUIRE, SCOPE_CTA);
}

static uint64_t behind_barrier(Unit *unit) {
  store(unit_thread(unit, 0, 0), DATA, SEM_WEAK, SCOPE_NONE, 1);
  unit_barrier(unit, 0);
  return load(unit_thread(unit, 0, 40), DATA, SEM_WEAK, SCOPE_NONE, 1);
}

static uint64_t before_barrier(Unit *unit) {
  store(unit_thread(unit, 0, 0), DATA, SEM_WEAK, SCOPE_NONE, 1);
  return load(unit_thread(unit, 0, 40), DATA, SEM_WEAK, SCOPE_NONE, 1);
}

// Both threads write and then read what the other has written: the second one's read.
static uint64_t store_buffering(Unit *unit, Sem fence, Scope scope) {
  Who first = unit_thread(unit, 0, 0), second = unit_thread(unit, 1, 0);
  store(first, DATA, SEM_RELAXED, SCOPE_GPU, 1);
  unit_fence(first, fence, scope);
  unit->old_value = 0;
  store(second, FLAG, SEM_RELAXED, SCOPE_GPU, 1);
  unit_fence(second, fence, scope);
  return load(second, DATA, SEM_RELAXED, SCOPE_GPU, 1);
}

static uint64_t sc_fences(Unit *unit) {
  return store_buffering(unit, SEM_SC, SCOPE_GPU);
}

static uint64_t narrow_sc_fences(Unit *unit) {
  return store_buffering(unit, SEM_SC, SCOPE_CTA);
}

static uint64_t acq_rel_fences(Unit *unit) {
  return store_buffering(unit, SEM_ACQ_REL, SCOPE_GPU);
}

// A third thread is told by one that has read the newest value.
static uint64_t told_by_a_reader(Unit *unit) {
  Who reader = unit_thread(unit, 1, 0), told = unit_thread(unit, 2, 0);
  store(unit_thread(unit, 0, 0), DATA, SEM_RELAXED, SCOPE_GPU, 1);
  if (load(reader, DATA, SEM_RELAXED, SCOPE_GPU, 1) != 1)
    return 1;
  unit->old_value = 0;
  store(reader, FLAG, SEM_RELEASE, SCOPE_GPU, 1);
  if (load(told, FLAG, SEM_ACQUIRE, SCOPE_GPU, 1) != 1)
    return 1;
  return load(told, DATA, SEM_RELAXED, SCOPE_GPU, 1);
}

static uint64_t again(Unit *unit) {
  Who reader = unit_thread(unit, 1, 0);
  store(unit_thread(unit, 0, 0), DATA, SEM_RELAXED, SCOPE_GPU, 1);
  if (load(reader, DATA, SEM_RELAXED, SCOPE_GPU, 1) != 1)
    return 1;
  return load(reader, DATA, SEM_RELAXED, SCOPE_GPU, 1);
}

// Of two releases the older one is read: what it released is known, the rest is not.
static uint64_t older_release(Unit *unit) {
  Who writer = unit_thread(unit, 0, 0), reader = unit_thread(unit, 1, 0);
  store(writer, DATA, SEM_WEAK, SCOPE_NONE, 1);
  unit->old_value = 0;
  store(writer, FLAG, SEM_RELEASE, SCOPE_GPU, 1);
  unit->old_value = 1;
  store(writer, DATA, SEM_WEAK, SCOPE_NONE, 2);
  store(writer, FLAG, SEM_RELEASE, SCOPE_GPU, 2);
  if (load(reader, FLAG, SEM_ACQUIRE, SCOPE_GPU, 2) != 1)
    return 2;
  return load(reader, DATA, SEM_WEAK, SCOPE_NONE, 2);
}

static uint64_t after_other_size(Unit *unit) {
  store(unit_thread(unit, 0, 0), DATA, SEM_WEAK, SCOPE_NONE, 1);
  unit_access(unit_thread(unit, 0, 0), WRITE_DATA, DATA,
              (Access){.kind = EMU_WRITE, .size = 2, .value = 2});
  return load(unit_thread(unit, 1, 0), DATA, SEM_WEAK, SCOPE_NONE, 2);
}

static uint64_t polled(Unit *unit) {
  Who reader = unit_thread(unit, 1, 0);
  store(unit_thread(unit, 0, 0), DATA, SEM_RELAXED, SCOPE_GPU, 1);
  for (uint32_t i = 0; i < 500; i++)
    load(reader, DATA, SEM_WEAK, SCOPE_NONE, 1);
  return load(reader, DATA, SEM_WEAK, SCOPE_NONE, 1);
}

// --- vectors: two elements, the results as one number

static void store_pair(Who who, uint64_t value) {
  for (uint32_t i = 0; i < PAIR; i++)
    unit_access(
        who, WRITE_PAIR + i, DATA + 4 * i,
        (Access){.kind = EMU_WRITE, .sem = SEM_RELAXED, .scope = SCOPE_GPU, .value = value});
  who.unit->old_value = value;
}

static uint64_t load_pair(Who who, uint64_t newest) {
  uint64_t first = load_at(who, READ_PAIR, DATA, SEM_RELAXED, SCOPE_GPU, newest);
  return 3 * first + load_at(who, READ_PAIR + 1, DATA + 4, SEM_RELAXED, SCOPE_GPU, newest);
}

static uint64_t pairs(Unit *unit) {
  store_pair(unit_thread(unit, 0, 0), 1);
  store_pair(unit_thread(unit, 0, 0), 2);
  return load_pair(unit_thread(unit, 1, 0), 2);
}

// The reader has seen the newest second element already, by a load of its own.
static uint64_t pair_with_known_element(Unit *unit) {
  Who reader = unit_thread(unit, 1, 0);
  store_pair(unit_thread(unit, 0, 0), 1);
  if (load(reader, DATA + 4, SEM_RELAXED, SCOPE_GPU, 1) != 1)
    return 3 * 1 + 1;
  return load_pair(reader, 1);
}

// The second element is written on its own: the pair of a moment may be any that there was.
static uint64_t pair_with_own_store(Unit *unit) {
  store_pair(unit_thread(unit, 0, 0), 1);
  store(unit_thread(unit, 0, 0), DATA + 4, SEM_RELAXED, SCOPE_GPU, 2);
  uint64_t first = load_at(unit_thread(unit, 1, 0), READ_PAIR, DATA, SEM_RELAXED, SCOPE_GPU, 1);
  return 3 * first +
         load_at(unit_thread(unit, 1, 0), READ_PAIR + 1, DATA + 4, SEM_RELAXED, SCOPE_GPU, 2);
}

enum { BOTH_0 = 1 << 0, BOTH_1 = 1 << (3 + 1), BOTH_2 = 1 << (6 + 2), THEN_2 = 1 << (3 + 2) };

static void elements_of_a_vector_stay_together(void **state) {
  assert_int_equal(outcomes(state, pairs), BOTH_0 | BOTH_1 | BOTH_2);
  assert_int_equal(outcomes(state, pair_with_known_element), BOTH_1);
  assert_int_equal(outcomes(state, pair_with_own_store), BOTH_0 | BOTH_1 | THEN_2);
}

static void split_vectors_come_apart(void **state) {
  assert_true(outcomes_of(state, pairs, true) & ~(uint64_t)(BOTH_0 | BOTH_1 | BOTH_2));
  assert_int_equal(outcomes_of(state, pair_with_known_element, true), BOTH_1 | 1 << 1);
}

enum { NEWEST = 1 << 1, ANY = 1 << 0 | 1 << 1 };

static void older_values_are_read_where_nothing_forbids_it(void **state) {
  assert_int_equal(outcomes(state, unordered), 1 << 0 | 1 << 1 | 1 << 2);
  assert_int_equal(outcomes(state, relaxed_message), ANY);
  assert_int_equal(outcomes(state, narrow_message), ANY);
  assert_int_equal(outcomes(state, before_barrier), ANY);
  assert_int_equal(outcomes(state, narrow_sc_fences), ANY);
  assert_int_equal(outcomes(state, acq_rel_fences), ANY);
}

static void known_writes_are_not_missed(void **state) {
  assert_int_equal(outcomes(state, own), 1 << 2 | 1 << 3);
  assert_int_equal(outcomes(state, ordered_message), NEWEST);
  assert_int_equal(outcomes(state, behind_barrier), NEWEST);
  assert_int_equal(outcomes(state, sc_fences), NEWEST);
}

static void what_was_read_is_not_forgotten(void **state) {
  assert_int_equal(outcomes(state, again), NEWEST);
  assert_int_equal(outcomes(state, told_by_a_reader), NEWEST);
  assert_int_equal(outcomes(state, older_release), 1 << 1 | 1 << 2);
}

static void what_is_not_followed_is_read_as_it_is(void **state) {
  assert_int_equal(outcomes(state, after_other_size), 1 << 2);
  assert_int_equal(outcomes(state, polled), NEWEST);
}

// --- the history

static void a_history_keeps_the_last_writes_and_reads(void **state) {
  enum { WRITES = 20, READERS = 30, GRANULE = 77, WORD = 0x0f };
  Heap heap;
  History history;
  heap_init(&heap, 0, *state);
  history_init(&history, *state);
  Past *past = history_get(&heap, &history, GRANULE, WORD);
  for (uint32_t i = 1; i <= WRITES; i++)
    history_add_write(&heap, past, &(PastWrite){.value = i, .thread = i});
  assert_int_equal(past->newest, WRITES);
  assert_int_equal(past->write_count, PAST_WRITES);
  assert_int_equal(past_write(past, past_oldest(past))->value, WRITES - PAST_WRITES + 1);
  for (uint32_t i = 0; i < READERS; i++)
    history_add_read(past, &(PastRead){.block = i, .lanes = 1, .position = WRITES - 1 - i % 2});
  assert_true(past->read_count <= PAST_READS);
  // Readers of both positions were dropped.
  assert_int_equal(past->floor, WRITES - 1);
  assert_ptr_equal(history_find(&history, GRANULE, WORD), past);
  history_get(&heap, &history, GRANULE, 0xff);
  assert_null(history_find(&history, GRANULE, WORD));
  heap_release(&heap);
}

static void old_places_give_way(void **state) {
  enum { PLACES = 100000 };
  Heap heap;
  History history;
  uint32_t kept = 0;
  heap_init(&heap, 0, *state);
  history_init(&history, *state);
  for (uint64_t i = 0; i < PLACES; i++)
    history_get(&heap, &history, i, 0xff);
  for (uint64_t i = 0; i < PLACES; i++)
    kept += history_find(&history, i, 0xff) != NULL;
  assert_true(kept > 1000 && kept < PLACES / 2);
  assert_non_null(history_find(&history, PLACES - 1, 0xff));
  heap_release(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(older_values_are_read_where_nothing_forbids_it),
      UNIT_TEST(known_writes_are_not_missed),
      UNIT_TEST(what_was_read_is_not_forgotten),
      UNIT_TEST(what_is_not_followed_is_read_as_it_is),
      UNIT_TEST(elements_of_a_vector_stay_together),
      UNIT_TEST(split_vectors_come_apart),
      UNIT_TEST(a_history_keeps_the_last_writes_and_reads),
      UNIT_TEST(old_places_give_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
