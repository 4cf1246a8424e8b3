// M28: a latch reaches those threads that its scope reaches.
// expect: data-race:scope-too-narrow
#include <warpsan/scoped.h>

enum { WORKERS = 2 };

static scoped_latch ready;
static int parts[WORKERS];

static void worker(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  scoped_plain_store(&parts[own], (int)own + 1);
  scoped_latch_count_down(&ready, 1, scoped_thread_scope_block);
}

static void collector(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_latch_wait(&ready, scoped_thread_scope_block);
  scoped_assert(scoped_plain_load(&parts[0]) + scoped_plain_load(&parts[1]) == 3);
}

int main(void) {
  WarpsanTest *test;
  if (warpsan_test_new("latch", &test) != WARPSAN_OK)
    return 4;
  scoped_latch_init(&ready, WORKERS);
  scoped_test_memory(test, ready);
  scoped_test_memory(test, parts);
  scoped_test_launch(test, worker, .grid.x = WORKERS);
  scoped_test_launch(test, collector, .stream = 1);
  return scoped_test_main(test);
}
