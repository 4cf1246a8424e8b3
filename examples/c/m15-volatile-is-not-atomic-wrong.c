// M15: volatile forces both accesses and joins them to nothing: increments are lost.
// expect: data-race
#include <warpsan/scoped.h>

static int counter;

static void count(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_volatile_store(&counter, scoped_volatile_load(&counter) + 1);
}

static bool all_were_counted(void *context) {
  (void)context;
  return counter == 3;
}

int main(void) {
  WarpsanTest *test;
  if (warpsan_test_new("counter", &test) != WARPSAN_OK)
    return 4;
  scoped_test_memory(test, counter);
  scoped_test_launch(test, count, .grid.x = 3);
  scoped_test_final(test, all_were_counted);
  return scoped_test_main(test);
}
