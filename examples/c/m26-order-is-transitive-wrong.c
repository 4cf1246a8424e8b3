// M26: a hop that orders nothing breaks the chain.
// expect: data-race:release-missing
#include <warpsan/scoped.h>

static int data, block_flag, device_flag;

// A block of two, and a thread of another block: the data goes from hand to hand.
static void first_two(const WarpsanThread *thread, void *argument) {
  (void)argument;
  if (thread->thread.x == 0) {
    scoped_plain_store(&data, 42);
    scoped_atomic_store_explicit(&block_flag, 1, scoped_memory_order_release,
                                 scoped_thread_scope_block);
  } else {
    scoped_spin_while(scoped_atomic_load_explicit(&block_flag, scoped_memory_order_acquire,
                                                  scoped_thread_scope_block) == 0);
    scoped_atomic_store_explicit(&device_flag, 1, scoped_memory_order_relaxed,
                                 scoped_thread_scope_device);
  }
}

static void third(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_spin_while(scoped_atomic_load_explicit(&device_flag, scoped_memory_order_acquire,
                                                scoped_thread_scope_device) == 0);
  scoped_assert(scoped_plain_load(&data) == 42);
}

int main(void) {
  WarpsanTest *test;
  if (warpsan_test_new("chain", &test) != WARPSAN_OK)
    return 4;
  scoped_test_memory(test, data);
  scoped_test_memory(test, block_flag);
  scoped_test_memory(test, device_flag);
  scoped_test_launch(test, first_two, .block.x = 2);
  scoped_test_launch(test, third, .stream = 1);
  return scoped_test_main(test);
}
