// M11: threads of a warp that exchange through memory meet at a warp barrier.
// expect: clean
#include <warpsan/scoped.h>

static int slots[2], copies[2];

static void exchange(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned lane = thread->thread.x;
  scoped_plain_store(&slots[lane], (int)lane + 1);
  scoped_syncwarp(3);
  scoped_plain_store(&copies[lane], scoped_plain_load(&slots[1 - lane]));
}

static bool were_exchanged(void *context) {
  (void)context;
  return copies[0] == 2 && copies[1] == 1;
}

int main(void) {
  WarpsanTest *test;
  if (warpsan_test_new("exchange in a warp", &test) != WARPSAN_OK)
    return 4;
  scoped_test_memory(test, slots);
  scoped_test_memory(test, copies);
  scoped_test_launch(test, exchange, .block.x = 2);
  scoped_test_final(test, were_exchanged);
  return scoped_test_main(test);
}
