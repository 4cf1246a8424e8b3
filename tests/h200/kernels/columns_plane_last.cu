// Bulk copies of a tensor in im2col mode: beyond the last image.
// launch: kernel=columns_plane_last grid=4 block=32 args=m=x:s32[8,7,6,3]:im2col[4,16]:[-1,-2]:[-1,1]=random:60,out:s32[512]=0
#include <cuda.h>
extern "C" __global__ void columns_plane_last(const __grid_constant__ CUtensorMap m, int *out) {
  __shared__ __align__(1024) int a[128];
  __shared__ __align__(8) unsigned long long ready;
  unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&ready), done, from = (unsigned)__cvta_generic_to_shared(a);
  int n = blockIdx.x, w = n - 1;
  unsigned short one = n & 1, two = n >> 1;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};"
                 ::"r"(from), "l"(&m), "r"(bar), "r"(0), "r"(4), "r"(6), "r"(2), "h"(two), "h"(one) : "memory");
  }
  __syncwarp();
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
  while (!done);
  for (unsigned i = t; i < 64; i += 32)
    out[blockIdx.x * 128 + i] = a[i];
}
