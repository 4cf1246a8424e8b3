// Barriers, and the scan of decoupled look-back: data is plain, and read by others behind the
// barrier.
#include "structure.h"

#include <string.h>

enum { MOST = 4, ROUNDS = 2 };

static int slots[MOST];
static unsigned thread_count;

static void prepare_slots(WarpsanTest *test, unsigned threads) {
  memset(slots, 0, sizeof slots);
  thread_count = threads;
  DECLARE(test, slots);
}

// ---------------------------------------------------------------- sense-reversing barrier

static struct { unsigned missing, sense; } meeting;

static void wait_for_all(unsigned sense) {
  unsigned missing =
      scoped_atomic_fetch_sub_explicit(&meeting.missing, 1,
                                       mistake() == 1   ? scoped_memory_order_acquire
                                       : mistake() == 2 ? scoped_memory_order_release
                                                        : O(acq_rel),
                                       mistake() == 3 ? scoped_thread_scope_block : S(device));
  if (missing == 1) {
    scoped_atomic_store_explicit(&meeting.missing, thread_count, O(relaxed), S(device));
    scoped_atomic_store_explicit(&meeting.sense, sense,
                                 mistake() == 4 ? scoped_memory_order_relaxed : O(release),
                                 S(device));
    return;
  }
  scoped_spin_while(scoped_atomic_load_explicit(&meeting.sense, O(acquire), S(device)) != sense);
}

static void barrier_user(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  for (int round = 1; round <= ROUNDS; round++) {
    if (round % 2 == 1)
      scoped_plain_store(&slots[own], round);
    else
      scoped_assert(scoped_plain_load(&slots[(own + 1) % thread_count]) == round - 1);
    wait_for_all((unsigned)round & 1);
  }
}

static void prepare_sense(WarpsanTest *test, unsigned threads) {
  prepare_slots(test, threads);
  meeting.missing = threads;
  meeting.sense = 0;
  DECLARE(test, meeting);
  launch_grid(test, "thread", barrier_user, threads, 1);
}

const Structure sense_barrier = {"sense-reversing barrier",
                                 2,
                                 3,
                                 prepare_sense,
                                 {NULL, "arrival without release", "arrival without acquire",
                                  "arrival at block scope", "relaxed sense"}};

// ---------------------------------------------------------------- hierarchical barrier

enum { BLOCK = 2 };

// The threads of a block meet at block scope; the last one of each meets those of the others.
static struct {
  unsigned arrived[MOST], sense[MOST]; // of each block
  unsigned blocks, all;
} levels;

static void wait_for_grid(unsigned block, unsigned block_count) {
  unsigned before =
      scoped_atomic_fetch_add_explicit(&levels.arrived[block], 1, O(acq_rel), S(block));
  if (before != BLOCK - 1) {
    scoped_spin_while(
        scoped_atomic_load_explicit(&levels.sense[block],
                                    mistake() == 1 ? scoped_memory_order_relaxed : O(acquire),
                                    S(block)) == 0);
    return;
  }
  unsigned blocks = scoped_atomic_fetch_add_explicit(
      &levels.blocks, 1, O(acq_rel), mistake() == 2 ? scoped_thread_scope_block : S(device));
  if (blocks == block_count - 1)
    scoped_atomic_store_explicit(&levels.all, 1, O(release), S(device));
  else
    scoped_spin_while(scoped_atomic_load_explicit(
                          &levels.all, mistake() == 3 ? scoped_memory_order_relaxed : O(acquire),
                          S(device)) == 0);
  scoped_atomic_store_explicit(&levels.sense[block], 1,
                               mistake() == 4 ? scoped_memory_order_relaxed : O(release), S(block));
}

static void grid_user(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x * BLOCK + thread->thread.x;
  scoped_plain_store(&slots[own], (int)own + 1);
  wait_for_grid(thread->block.x, thread->grid_size.x);
  for (unsigned i = 0; i < thread_count; i++)
    scoped_assert(scoped_plain_load(&slots[i]) == (int)i + 1);
}

static void prepare_levels(WarpsanTest *test, unsigned threads) {
  prepare_slots(test, threads);
  memset(&levels, 0, sizeof levels);
  DECLARE(test, levels);
  launch_grid(test, "thread", grid_user, threads / BLOCK, BLOCK);
}

const Structure two_level_barrier = {
    "hierarchical barrier",
    4,
    4,
    prepare_levels,
    {NULL, "relaxed wait in the block", "meeting of the blocks at block scope",
     "relaxed wait for the blocks", "relaxed release of the block"}};

// ---------------------------------------------------------------- decoupled look-back

enum { EMPTY, HAS_SUM, HAS_PREFIX };

static struct {
  unsigned state;
  int sum, prefix;
} tiles[MOST];

static int look_back_from(unsigned tile) {
  int before = 0;
  while (tile-- > 0) {
    unsigned state = 0;
    scoped_spin_while(
        (state = scoped_atomic_load_explicit(
             &tiles[tile].state, mistake() == 1 ? scoped_memory_order_relaxed : O(acquire),
             mistake() == 2 ? scoped_thread_scope_block : S(device))) == EMPTY);
    if (state == HAS_PREFIX)
      return before + scoped_plain_load(&tiles[tile].prefix);
    before += scoped_plain_load(&tiles[tile].sum);
  }
  return before;
}

static void scanner(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  int sum = (int)own + 1;
  scoped_plain_store(&tiles[own].sum, sum);
  scoped_atomic_store_explicit(&tiles[own].state, HAS_SUM,
                               mistake() == 3 ? scoped_memory_order_relaxed : O(release),
                               S(device));
  int prefix = look_back_from(own) + sum;
  scoped_plain_store(&tiles[own].prefix, prefix);
  scoped_atomic_store_explicit(&tiles[own].state, HAS_PREFIX,
                               mistake() == 4 ? scoped_memory_order_relaxed : O(release),
                               S(device));
  scoped_assert(prefix == (int)((own + 1) * (own + 2) / 2));
}

static void prepare_tiles(WarpsanTest *test, unsigned threads) {
  memset(tiles, 0, sizeof tiles);
  DECLARE(test, tiles);
  launch_grid(test, "tile", scanner, threads, 1);
}

const Structure look_back = {
    "decoupled look-back",
    2,
    4,
    prepare_tiles,
    {NULL, "relaxed poll", "poll at block scope", "relaxed sum", "relaxed prefix"}};
