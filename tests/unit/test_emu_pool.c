// Work that OS threads share: each share is done once, and memory that runs out for any of them.
#include "unit.h"

#include "emu/pool.h"
#include "race/heap.h"

enum { JOBS = 3, SHARES = 1000 };

typedef struct Pool {
  Emu emu; // first
  Worker workers[JOBS];
  MemoryEscape escape;
  Arena own;
  atomic_uint done[SHARES];
  atomic_uint arrived; // workers that have a share
  uint32_t failing;    // worker
  atomic_flag lock;    // which it holds then
  bool others_wait;    // for the lock
} Pool;

static Pool *begin(Arena *arena) {
  Pool *pool = ARENA_NEW(arena, Pool);
  arena_init(&pool->own, &pool->escape, 0);
  atomic_flag_clear(&pool->lock);
  pool->emu.arena = &pool->own;
  pool->emu.workers = pool->workers;
  pool->emu.worker_count = JOBS;
  for (uint32_t i = 0; i < JOBS; i++)
    pool->workers[i] = (Worker){.emu = &pool->emu, .number = i};
  emu_start_workers(&pool->emu);
  assert_int_equal(pool->emu.worker_count, JOBS);
  return pool;
}

static void count(Worker *worker, uint32_t i) {
  Pool *pool = (Pool *)worker->emu;
  atomic_fetch_add(&pool->done[i], 1);
}

static void test_shares(void **state) {
  Pool *pool = begin(*state);
  for (uint32_t round = 1; round <= 100; round++) {
    emu_share_out(&pool->emu, count, SHARES);
    for (uint32_t i = 0; i < SHARES; i++)
      assert_int_equal(pool->done[i], round);
  }
  emu_stop_workers(&pool->emu);
}

// Each worker has one share; that of one fails when all have theirs.
static void run_out(Worker *worker, uint32_t i) {
  Pool *pool = (Pool *)worker->emu;
  (void)i;
  if (worker->number == pool->failing)
    spin_lock(&pool->lock);
  atomic_fetch_add(&pool->arrived, 1);
  while (atomic_load(&pool->arrived) < JOBS)
    sched_yield();
  if (worker->number == pool->failing)
    arena_exhaust(&pool->own);
  if (pool->others_wait)
    spin_lock(&pool->lock);
}

// The caller leaves, when no worker does anything any more.
static void check_exhaustion(Arena *arena, uint32_t failing, bool others_wait) {
  Pool *pool = begin(arena);
  pthread_t self = pthread_self();
  pool->failing = failing;
  pool->others_wait = others_wait;
  if (setjmp(pool->escape.target) == 0) {
    emu_share_out(&pool->emu, run_out, JOBS);
    fail_msg("worker %u: nobody was told", failing);
  }
  assert_true(pthread_equal(self, pthread_self()));
  assert_int_equal(pool->emu.working, 0);
  emu_stop_workers(&pool->emu);
}

static void test_exhaustion(void **state) {
  for (uint32_t failing = 0; failing < JOBS; failing++)
    for (uint32_t others_wait = 0; others_wait < 2; others_wait++)
      check_exhaustion(*state, failing, others_wait);
}

int main(void) {
  const struct CMUnitTest tests[] = {UNIT_TEST(test_shares), UNIT_TEST(test_exhaustion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
