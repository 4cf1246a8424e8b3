// M18: with release and acquire both may miss what the other wrote, and go in together.
// expect: data-race
#include <warpsan/scoped.h>

static int wants[2], inside;

// Dekker's way into a critical section: say that you want in, and look whether the other does.
static void enter(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  scoped_atomic_store_explicit(&wants[own], 1, scoped_memory_order_release,
                               scoped_thread_scope_device);
  if (scoped_atomic_load_explicit(&wants[1 - own], scoped_memory_order_acquire,
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
