// Bulk copies of a tensor in im2col mode: stored to the tensor, without offsets.
// launch: kernel=columns_store grid=4 block=32 args=m=y:s32[8,7,6,3]:im2col[4,16]:[0,0]:[-1,-1]=0,out:s32[512]=0
#include <cuda.h>
extern "C" __global__ void columns_store(const __grid_constant__ CUtensorMap m, int *out) {
  __shared__ __align__(1024) int a[128];
  __shared__ __align__(8) unsigned long long ready;
  unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&ready), done, from = (unsigned)__cvta_generic_to_shared(a);
  int n = blockIdx.x, w = n - 1;
  unsigned short one = n & 1, two = n >> 1;
  for (unsigned i = t; i < 64; i += 32)
    a[i] = (int)(i + 100 * n);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  if (t == 0) {
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(&m), "r"(4 * (n & 1)), "r"(1), "r"(n & 2), "r"(n / 2), "r"(from) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
  if (t < 4)
    out[t + 4 * n] = t;
}
