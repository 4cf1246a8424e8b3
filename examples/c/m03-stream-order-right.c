// M3: a launch sees everything that the launch before it in its stream has done.
// expect: clean
#include <warpsan/scoped.h>

static int data, flag;

static void writer(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_plain_store(&data, 42);
  scoped_plain_store(&flag, 1);
}

static void reader(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_spin_while(scoped_plain_load(&flag) == 0);
  scoped_assert(scoped_plain_load(&data) == 42);
}

int main(void) {
  WarpsanTest *test;
  if (warpsan_test_new("message passing", &test) != WARPSAN_OK)
    return 4;
  scoped_test_memory(test, data);
  scoped_test_memory(test, flag);
  scoped_test_launch(test, writer, .stream = 0);
  scoped_test_launch(test, reader, .stream = 0);
  return scoped_test_main(test);
}
