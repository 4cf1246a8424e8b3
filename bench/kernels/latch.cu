// A latch of libcu++, which waits by unrolled polls and sleeps.
#include <cuda/latch>
extern "C" __global__ void k(cuda::latch<cuda::thread_scope_device> *l, unsigned *d, unsigned *o) {
  d[blockIdx.x] = 1;
  l->arrive_and_wait();
  o[blockIdx.x] = d[(blockIdx.x + 1) % 3];
}
