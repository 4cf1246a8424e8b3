// Maps of records against plain arrays of clocks' times.
#include "race_unit.h"

#include "race/record_map.h"

enum { BLOCKS = 200, SCOPES = 4, MAPS = 4, STEPS = 400 };

// What the record of each block and scope knows of one thread of each of a few blocks.
enum { KNOWN = 8 };
typedef struct Plain {
  bool is_there[BLOCKS][SCOPES];
  uint32_t times[BLOCKS][SCOPES][KNOWN];
} Plain;

typedef struct Pair {
  RecordMap *map;
  Plain *plain;
} Pair;

static uint32_t random_number(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % below;
}

static void add(Race *race, uint64_t *random, Pair *pair) {
  uint32_t block = random_number(random, BLOCKS), scope = random_number(random, SCOPES);
  uint32_t known = random_number(random, KNOWN), time = 1 + random_number(random, 20);
  Clock clock = {0};
  clock_add_lanes(&race->heap, &clock.part[CLOCK_THREADS], known, 0, 1, time);
  record_map_add(race, &pair->map, block, (Scope)(SCOPE_CTA + scope), &clock);
  clock_release(&race->heap, &clock);
  uint32_t *own = &pair->plain->times[block][scope][known];
  *own = *own < time ? time : *own;
  pair->plain->is_there[block][scope] = true;
}

static void join(Race *race, Pair *into, const Pair *from) {
  record_map_join(race, &into->map, from->map);
  for (uint32_t b = 0; b < BLOCKS; b++)
    for (uint32_t s = 0; s < SCOPES; s++) {
      into->plain->is_there[b][s] |= from->plain->is_there[b][s];
      for (uint32_t k = 0; k < KNOWN; k++)
        if (into->plain->times[b][s][k] < from->plain->times[b][s][k])
          into->plain->times[b][s][k] = from->plain->times[b][s][k];
    }
}

static void assert_agree(const Pair *pair) {
  RecordCounts counts = record_map_counts(pair->map), expected = {0};
  const Record *next = record_map_from(pair->map, 0, SCOPE_CTA);
  for (uint32_t b = 0; b < BLOCKS; b++)
    for (uint32_t s = 0; s < SCOPES; s++) {
      const Record *record = record_map_find(pair->map, b, (Scope)(SCOPE_CTA + s));
      assert_int_equal(record != NULL, pair->plain->is_there[b][s]);
      if (!record)
        continue;
      assert_ptr_equal(record, next);
      assert_ptr_equal(record, record_map_from(pair->map, b, (Scope)(SCOPE_CTA + s)));
      next = record_map_next(pair->map, record);
      expected.all++;
      expected.narrow += SCOPE_CTA + s < SCOPE_GPU;
      expected.cluster += SCOPE_CTA + s == SCOPE_CLUSTER;
      for (uint32_t k = 0; k < KNOWN; k++)
        assert_int_equal(clock_time(record->clock.part[CLOCK_THREADS], k, 0),
                         pair->plain->times[b][s][k]);
    }
  assert_null(next);
  assert_memory_equal(&counts, &expected, sizeof counts);
}

// Joining what is known changes nothing, not even the place.
static void assert_same(Race *race, const Pair *pair) {
  RecordMap *map = record_map_keep(pair->map);
  for (const Record *record = record_map_from(map, 0, SCOPE_CTA); record;
       record = record_map_next(map, record))
    record_map_add(race, &map, record->block, record->scope, &record->clock);
  assert_ptr_equal(map, pair->map);
  record_map_drop(&race->heap, map);
}

static void maps_agree_with_arrays(void **state) {
  Unit *unit = ARENA_NEW(*state, Unit);
  unit_start(unit, *state, 2, 32);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    uint64_t random = seed;
    Pair pairs[MAPS] = {0};
    for (uint32_t i = 0; i < MAPS; i++)
      pairs[i].plain = ARENA_NEW(*state, Plain);
    for (uint32_t i = 0; i < STEPS; i++) {
      Pair *pair = &pairs[random_number(&random, MAPS)];
      if (random_number(&random, 8))
        add(unit->race, &random, pair);
      else
        join(unit->race, pair, &pairs[random_number(&random, MAPS)]);
    }
    for (uint32_t i = 0; i < MAPS; i++) {
      assert_agree(&pairs[i]);
      assert_same(unit->race, &pairs[i]);
      record_map_drop(&unit->race->heap, pairs[i].map);
    }
  }
  race_end(unit->race);
}

// What one block adds to the records of 4,000 is little: the rest is shared.
static void an_addition_shares_the_rest(void **state) {
  Unit *unit = ARENA_NEW(*state, Unit);
  unit_start(unit, *state, 2, 32);
  Heap *heap = &unit->race->heap;
  RecordMap *map = NULL, *kept[4000];
  Clock clock = {0};
  clock_add_lanes(heap, &clock.part[CLOCK_THREADS], 0, 0, 1, 1);
  size_t before = heap->mapped_bytes;
  for (uint32_t i = 0; i < 4000; i++) {
    record_map_add(unit->race, &map, i * 7 % 4000, SCOPE_GPU, &clock);
    kept[i] = record_map_keep(map);
  }
  assert_int_equal(record_map_counts(map).all, 4000);
  assert_true(heap->mapped_bytes - before <= 8u << 20);
  for (uint32_t i = 0; i < 4000; i++)
    record_map_drop(heap, kept[i]);
  record_map_drop(heap, map);
  clock_release(heap, &clock);
  race_end(unit->race);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(maps_agree_with_arrays),
      UNIT_TEST(an_addition_shares_the_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
