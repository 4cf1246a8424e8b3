// Bulk copies of a tensor in im2col mode: three dimensions of pixels.
// launch: kernel=columns_volume grid=4 block=32 args=m=v:s32[4,5,4,3,2]:im2col[4,16]:[-1,0,-1]:[0,-1,1]=random:62,out:s32[512]=0
#include <cuda.h>
extern "C" __global__ void columns_volume(const __grid_constant__ CUtensorMap m, int *out) {
  __shared__ __align__(1024) int a[128];
  __shared__ __align__(8) unsigned long long ready;
  unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&ready), done, from = (unsigned)__cvta_generic_to_shared(a);
  int n = blockIdx.x, w = n - 1;
  unsigned short one = n & 1, two = n >> 1;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2], {%8, %9, %10};"
                 ::"r"(from), "l"(&m), "r"(bar), "r"(0), "r"(w), "r"(n & 1), "r"(n / 2 - 1), "r"(n & 1), "h"(one), "h"(two), "h"(one) : "memory");
  }
  __syncwarp();
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
  while (!done);
  for (unsigned i = t; i < 64; i += 32)
    out[blockIdx.x * 128 + i] = a[i];
}
