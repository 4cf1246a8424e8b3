// Clocks against plain arrays.
#include "unit.h"

#include "race/clock.h"

enum { BLOCKS = 40, SLOTS = 1024, TEST_CLOCKS = 6 };

typedef struct Plain {
  uint32_t times[BLOCKS][SLOTS];
} Plain;

static uint32_t random_number(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % below;
}

static void raise_plain(Plain *plain, uint32_t block, uint32_t slot, uint32_t time) {
  if (plain->times[block][slot] < time)
    plain->times[block][slot] = time;
}

typedef struct Pair {
  ClockNode *clock;
  Plain *plain;
} Pair;

static void add_lanes(Heap *heap, uint64_t *state, Pair *pair) {
  uint32_t block = random_number(state, BLOCKS), warp = random_number(state, 32);
  uint32_t lanes = random_number(state, 3) ? 1u << random_number(state, 32) : UINT32_MAX;
  uint32_t time = 1 + random_number(state, 50);
  clock_add_lanes(heap, &pair->clock, block, warp, lanes, time);
  for (uint32_t lane = 0; lane < 32; lane++)
    if (lanes >> lane & 1)
      raise_plain(pair->plain, block, warp << 5 | lane, time);
}

static void add_series(Heap *heap, uint64_t *state, Pair *pair) {
  uint32_t block = random_number(state, BLOCKS), warp = random_number(state, 32);
  uint32_t lanes = 1 + random_number(state, UINT32_MAX - 1), time = 1 + random_number(state, 50);
  clock_add_series(heap, &pair->clock, block, warp, lanes, time);
  for (uint32_t lane = 0; lane < 32; lane++)
    if (lanes >> lane & 1)
      raise_plain(pair->plain, block, warp << 5 | lane, time++);
}

static void add_blocks(Heap *heap, uint64_t *state, Pair *pair) {
  uint32_t first = random_number(state, BLOCKS), count = 1 + random_number(state, BLOCKS - first);
  uint32_t time = 1 + random_number(state, 50);
  if (random_number(state, 2))
    count = 1;
  if (count == 1)
    clock_add_block(heap, &pair->clock, first, time);
  else
    clock_add_blocks(heap, &pair->clock, first, count, time);
  for (uint32_t b = first; b < first + count; b++)
    for (uint32_t s = 0; s < SLOTS; s++)
      raise_plain(pair->plain, b, s, time);
}

static void join(Heap *heap, Pair *into, const Pair *from) {
  clock_join(heap, &into->clock, from->clock);
  for (uint32_t b = 0; b < BLOCKS; b++)
    for (uint32_t s = 0; s < SLOTS; s++)
      raise_plain(into->plain, b, s, from->plain->times[b][s]);
}

static void assert_agree(const Pair *pair) {
  for (uint32_t b = 0; b < BLOCKS; b++)
    for (uint32_t s = 0; s < SLOTS; s++)
      assert_int_equal(clock_time(pair->clock, b, s), pair->plain->times[b][s]);
}

static void assert_least(uint64_t *state, const Pair *pair) {
  uint32_t block = random_number(state, BLOCKS), warp = random_number(state, 32);
  uint32_t lanes = 1 + random_number(state, UINT32_MAX - 1), least = UINT32_MAX;
  for (uint32_t lane = 0; lane < 32; lane++)
    if ((lanes >> lane & 1) && pair->plain->times[block][warp << 5 | lane] < least)
      least = pair->plain->times[block][warp << 5 | lane];
  assert_int_equal(clock_least(pair->clock, block, warp, lanes), least);
}

static void assert_latest(uint64_t *state, const Pair *pair) {
  uint32_t block = random_number(state, BLOCKS), latest = 0;
  for (uint32_t slot = 0; slot < SLOTS; slot++)
    if (pair->plain->times[block][slot] > latest)
      latest = pair->plain->times[block][slot];
  assert_int_equal(clock_latest(pair->clock, block), latest);
}

static void assert_range(uint64_t *state, const Pair *pair) {
  uint32_t first = random_number(state, BLOCKS), threads = 1 + random_number(state, SLOTS);
  uint32_t end = first + 1 + random_number(state, 3), least = UINT32_MAX;
  end = end < BLOCKS ? end : BLOCKS;
  for (uint32_t b = first; b < end; b++)
    for (uint32_t slot = 0; slot < threads; slot++)
      if (pair->plain->times[b][slot] < least)
        least = pair->plain->times[b][slot];
  assert_int_equal(clock_knows_blocks(pair->clock, first, end, threads, least + 1), false);
  if (least)
    assert_true(clock_knows_blocks(pair->clock, first, end, threads, least));
}

// Threads whose time is larger than that of a plain array, by searching.
typedef struct Wanted {
  const Plain *plain;
  uint32_t above;
} Wanted;

static bool is_wanted(const void *context, uint32_t block, uint32_t slot, uint32_t time) {
  const Wanted *wanted = context;
  assert_int_equal(time, wanted->plain->times[block][slot]);
  return time > wanted->above;
}

static void assert_found(uint64_t *state, const Pair *pair) {
  Wanted wanted = {pair->plain, random_number(state, 60)};
  uint32_t block = 0, slot = 0, b = 0;
  bool is_found = clock_find(pair->clock, is_wanted, &wanted, &block, &slot);
  for (; b < BLOCKS * SLOTS; b++)
    if (pair->plain->times[b / SLOTS][b % SLOTS] > wanted.above)
      break;
  assert_int_equal(is_found, b < BLOCKS * SLOTS);
  if (is_found)
    assert_int_equal(block * SLOTS + slot, b);
}

static void step(Heap *heap, uint64_t *state, Pair *pairs) {
  Pair *pair = &pairs[random_number(state, TEST_CLOCKS)];
  switch (random_number(state, 7)) {
  case 0:
    add_blocks(heap, state, pair);
    break;
  case 1:
    join(heap, pair, &pairs[random_number(state, TEST_CLOCKS)]);
    break;
  case 2:
    assert_least(state, pair);
    assert_latest(state, pair);
    assert_range(state, pair);
    break;
  case 3:
    add_series(heap, state, pair);
    break;
  default:
    add_lanes(heap, state, pair);
  }
}

static void clocks_agree_with_arrays(void **state) {
  for (uint64_t seed = 1; seed <= 6; seed++) {
    Heap *heap = ARENA_NEW(*state, Heap);
    heap_init(heap, 0, *state);
    Pair pairs[TEST_CLOCKS] = {0};
    uint64_t random = seed;
    for (uint32_t i = 0; i < TEST_CLOCKS; i++)
      pairs[i].plain = ARENA_NEW(*state, Plain);
    for (uint32_t i = 0; i < 200; i++)
      step(heap, &random, pairs);
    for (uint32_t i = 0; i < TEST_CLOCKS; i++) {
      assert_agree(&pairs[i]);
      assert_found(&random, &pairs[i]);
      clock_drop(heap, pairs[i].clock);
    }
    heap_release(heap);
  }
}

static void a_block_is_forgotten_alone(void **state) {
  Heap *heap = ARENA_NEW(*state, Heap);
  heap_init(heap, 0, *state);
  ClockNode *clock = NULL;
  clock_add_lanes(heap, &clock, 3, 1, 1u << 7, 5);
  clock_add_lanes(heap, &clock, 4, 1, 1u << 7, 6);
  clock_forget_block(heap, &clock, 3);
  assert_int_equal(clock_time(clock, 3, 39), 0);
  assert_int_equal(clock_time(clock, 4, 39), 6);
  clock_forget_block(heap, &clock, 4);
  assert_null(clock);
  heap_release(heap);
}

// Of a range nothing is known any more, and of the others what was.
static void ranges_are_forgotten(void **state) {
  Heap *heap = ARENA_NEW(*state, Heap);
  heap_init(heap, 0, *state);
  uint64_t random = 1;
  for (uint32_t run = 0; run < 200; run++) {
    Pair pair = {NULL, ARENA_NEW(*state, Plain)};
    uint32_t first = random_number(&random, BLOCKS), count = 1 + random_number(&random, BLOCKS);
    for (uint32_t i = 0; i < 60; i++)
      add_lanes(heap, &random, &pair);
    clock_forget_blocks(heap, &pair.clock, first, count);
    for (uint32_t b = first; b < first + count && b < BLOCKS; b++)
      memset(pair.plain->times[b], 0, sizeof pair.plain->times[b]);
    assert_agree(&pair);
    clock_drop(heap, pair.clock);
  }
  heap_release(heap);
}

static void equal_lanes_become_one(void **state) {
  Heap *heap = ARENA_NEW(*state, Heap);
  heap_init(heap, 0, *state);
  ClockNode *clock = NULL;
  for (uint32_t slot = 0; slot < SLOTS; slot++)
    clock_add_lanes(heap, &clock, 0, slot >> 5, 1u << (slot & 31), 9);
  // A root and the block.
  assert_true(clock_bytes(clock) <= 3 * 32);
  clock_drop(heap, clock);
  heap_release(heap);
}

// What one thread adds to a clock of 4,000 blocks is little: the rest is shared.
static void a_change_shares_the_rest(void **state) {
  Heap *heap = ARENA_NEW(*state, Heap);
  heap_init(heap, 0, *state);
  ClockNode *clock = NULL;
  for (uint32_t block = 0; block < 4000; block++) {
    clock_add_block(heap, &clock, block, 1 + block % 7);
    clock_add_lanes(heap, &clock, block, 0, 1, 100 + block);
  }
  size_t before = heap->mapped_bytes;
  ClockNode *copies[1000];
  for (uint32_t i = 0; i < 1000; i++) {
    copies[i] = clock_keep(clock);
    clock_add_lanes(heap, &copies[i], i * 4, 1, 2, 50);
    assert_int_equal(clock_time(copies[i], i * 4, 33), 50);
  }
  assert_true(heap->mapped_bytes - before <= 4u << 20);
  for (uint32_t i = 0; i < 1000; i++)
    clock_drop(heap, copies[i]);
  clock_drop(heap, clock);
  heap_release(heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(clocks_agree_with_arrays), UNIT_TEST(a_block_is_forgotten_alone),
      UNIT_TEST(ranges_are_forgotten),     UNIT_TEST(equal_lanes_become_one),
      UNIT_TEST(a_change_shares_the_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
