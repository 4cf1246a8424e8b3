// One function for both sides, a kernel beside host code, and what the host side computes.
#include <warpsan/scoped.h>

__host__ __device__ static int bump(int *counter) {
  return scoped_atomic_fetch_add_explicit(counter, 1, scoped_memory_order_acq_rel,
                                          scoped_thread_scope_system);
}

__global__ void count(int *counter, scoped_latch *latch) {
  bump(counter);
  scoped_syncthreads();
  scoped_latch_count_down(latch, 1, scoped_thread_scope_system);
  float exchanged = scoped_shfl_sync(0xffffffffu, 1.5f, 0);
  scoped_atomic_fetch_add(counter, (int)exchanged, scoped_thread_scope_system);
}

int main() {
  int counter = 0;
  scoped_latch latch;
  scoped_latch_init(&latch, 2);
  bump(&counter);
  scoped_latch_count_down(&latch, 2, scoped_thread_scope_system);
  return counter == 1 && scoped_latch_try_wait(&latch, scoped_thread_scope_system) ? 0 : 1;
}
