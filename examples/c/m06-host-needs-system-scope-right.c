// M6: the GPU tells the CPU at system scope.
// expect: clean
#include <warpsan/scoped.h>

static int data, flag;

static void writer(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_plain_store(&data, 42);
  scoped_atomic_store_explicit(&flag, 1, scoped_memory_order_release, scoped_thread_scope_system);
}

static void reader(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_spin_while(scoped_atomic_load_explicit(&flag, scoped_memory_order_acquire,
                                                scoped_thread_scope_system) == 0);
  scoped_assert(scoped_plain_load(&data) == 42);
}

int main(void) {
  WarpsanTest *test;
  if (warpsan_test_new("message passing", &test) != WARPSAN_OK)
    return 4;
  scoped_test_memory(test, data);
  scoped_test_memory(test, flag);
  scoped_test_launch(test, writer, .stream = 0);
  scoped_test_launch(test, reader, .is_host = true);
  return scoped_test_main(test);
}
