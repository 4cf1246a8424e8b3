// M18: sequentially consistent operations are in one order, in which one of the two is first.
// expect: clean
#include <warpsan/scoped.h>

static int wants[2], inside;

// Dekker's way into a critical section: say that you want in, and look whether the other does.
static void enter(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  scoped_atomic_store_explicit(&wants[own], 1, scoped_memory_order_seq_cst,
                               scoped_thread_scope_device);
  if (scoped_atomic_load_explicit(&wants[1 - own], scoped_memory_order_seq_cst,
                                  scoped_thread_scope_device) == 0)
    scoped_plain_store(&inside, (int)own + 1);
}

int main(void) {
  WarpsanTest *test;
  if (warpsan_test_new("Dekker", &test) != WARPSAN_OK)
    return 4;
  scoped_test_memory(test, wants);
  scoped_test_memory(test, inside);
  scoped_test_launch(test, enter, .grid.x = 2);
  return scoped_test_main(test);
}
