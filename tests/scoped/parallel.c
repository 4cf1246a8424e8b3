// Checks on several threads of the system at once are independent: each finds what it finds alone.
#define WARPSAN_CHECK
#include <warpsan/scoped.h>

#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 4, ROUNDS = 20, CELLS = 8 };

typedef struct Work {
  int cells[CELLS];
  unsigned threads;
  bool is_right;
} Work;

static void store_and_load(const WarpsanThread *thread, void *argument) {
  Work *work = argument;
  unsigned own = thread->block.x;
  scoped_atomic_store_explicit(&work->cells[own], 1, scoped_memory_order_relaxed,
                               scoped_thread_scope_device);
  (void)scoped_atomic_load_explicit(&work->cells[(own + 1) % work->threads],
                                    scoped_memory_order_relaxed, scoped_thread_scope_device);
}

static uint64_t count_executions(Work *work) {
  WarpsanSession *session;
  WarpsanResults *results;
  WarpsanTest *test;
  if (warpsan_session_new(&session) != WARPSAN_OK ||
      warpsan_results_new(session, &results) != WARPSAN_OK ||
      warpsan_test_new("parallel", &test) != WARPSAN_OK)
    abort();
  warpsan_test_memory(test, "cells", work->cells, sizeof work->cells);
  scoped_test_launch(test, store_and_load, .argument = work, .grid.x = work->threads);
  if (warpsan_check_function(session, test, NULL, results) != WARPSAN_OK)
    abort();
  uint64_t executions = warpsan_result_executions(warpsan_results_get(results, 0));
  warpsan_test_free(test);
  warpsan_results_free(results);
  warpsan_session_free(session);
  return executions;
}

static void *check(void *argument) {
  Work *work = argument;
  work->is_right = true;
  for (int round = 0; round < ROUNDS; round++)
    work->is_right &= count_executions(work) == 1u << work->threads;
  return NULL;
}

int main(void) {
  pthread_t workers[WORKERS];
  Work work[WORKERS] = {{{0}, 0, false}};
  bool is_right = true;
  for (unsigned i = 0; i < WORKERS; i++) {
    work[i].threads = 3 + i;
    if (pthread_create(&workers[i], NULL, check, &work[i]) != 0)
      return 4;
  }
  for (unsigned i = 0; i < WORKERS; i++) {
    pthread_join(workers[i], NULL);
    is_right &= work[i].is_right;
  }
  return !is_right;
}
