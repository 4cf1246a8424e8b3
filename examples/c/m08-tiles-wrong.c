// M8: nothing keeps a fast thread from overwriting what a slow one still reads.
// expect: data-race:warp-sync-missing
#include <warpsan/scoped.h>

enum { THREADS = 3, TILES = 2 };

static int sums[THREADS];

// Each thread writes its part of a tile, and all read the whole of it.
static void adder(const WarpsanThread *thread, void *argument) {
  (void)argument;
  int *tile = thread->shared, sum = 0;
  unsigned own = thread->thread.x;
  for (int round = 0; round < TILES; round++) {
    scoped_plain_store(&tile[own], round + (int)own);
    scoped_syncthreads();
    for (int i = 0; i < THREADS; i++)
      sum += scoped_plain_load(&tile[i]);
  }
  scoped_plain_store(&sums[own], sum);
}

static bool sums_are_right(void *context) {
  (void)context;
  return sums[0] == 9 && sums[1] == 9 && sums[2] == 9;
}

int main(void) {
  WarpsanTest *test;
  if (warpsan_test_new("tiles", &test) != WARPSAN_OK)
    return 4;
  scoped_test_memory(test, sums);
  scoped_test_launch(test, adder, .block.x = THREADS, .shared_bytes = THREADS * sizeof(int));
  scoped_test_final(test, sums_are_right);
  return scoped_test_main(test);
}
