// Tensor maps that a kernel changes: address, sizes, strides, box and swizzling, in shared memory, and in global memory.
// Compiled with -arch=sm_90a.
// launch: kernel=tensor_maps grid=2 block=32 args=map=x:s32[40,24]:[16,8]=random:50,other:s32[960]=random:51,out:s32[768]=0
#include <cuda.h>

__device__ CUtensorMap maps[2];

#define REPLACE(field, type, letter, at, value)                                                    \
  asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], " at "%1;" ::"l"(here), letter(value) : "memory")
#define REPLACE_IN_GLOBAL(field, type, letter, at, value)                                          \
  asm volatile("tensormap.replace.tile." field ".global.b1024." type " [%0], " at "%1;" ::"l"(there), letter(value) : "memory")

__device__ void load(const void *map, int *to, int x, int y, unsigned bar, unsigned phase) {
  unsigned done;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(map), "r"(x), "r"(y), "r"(bar) : "memory");
  }
  __syncwarp();
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar), "r"(phase) : "memory");
  while (!done);
}

__device__ void publish(unsigned long long there, unsigned from) {
  __syncwarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(there), "r"(from) : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(there) : "memory");
}

extern "C" __global__ void tensor_maps(const __grid_constant__ CUtensorMap map, const int *other, int *out) {
  __shared__ __align__(1024) int a[128], b[128], c[128];
  __shared__ __align__(128) unsigned copy[32];
  __shared__ __align__(8) unsigned long long ready;
  unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&ready);
  unsigned long long here = __cvta_generic_to_shared(copy), there = (unsigned long long)__cvta_generic_to_global(&maps[blockIdx.x]);
  copy[t] = ((const unsigned *)&map)[t];
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncwarp();
  // Another buffer, with other sizes and lines further apart than they are long.
  if (t == 0) {
    REPLACE("global_address", "b64", "l", "", __cvta_generic_to_global(other + 48 * blockIdx.x));
    REPLACE("global_dim", "b32", "r", "0, ", 20 + blockIdx.x);
    REPLACE("global_dim", "b32", "r", "1, ", 12);
    REPLACE("global_stride", "b64", "l", "0, ", 128ull + 64 * blockIdx.x);
  }
  publish(there, (unsigned)here);
  load(&maps[blockIdx.x], a, 8, 6 * blockIdx.x, bar, 0);
  // Another box, swizzled.
  if (t == 0) {
    REPLACE("box_dim", "b32", "r", "0, ", 8);
    REPLACE("box_dim", "b32", "r", "1, ", 16);
    REPLACE("swizzle_mode", "b32", "n", "", 1);
  }
  publish(there, (unsigned)here);
  load(&maps[blockIdx.x], b, 4, 2, bar, 1);
  // In global memory: lines that overlap.
  if (t == 0) {
    REPLACE_IN_GLOBAL("box_dim", "b32", "r", "0, ", 16);
    REPLACE_IN_GLOBAL("box_dim", "b32", "r", "1, ", 8);
    REPLACE_IN_GLOBAL("swizzle_mode", "b32", "n", "", 0);
    REPLACE_IN_GLOBAL("elemtype", "b32", "n", "", 2);
    REPLACE_IN_GLOBAL("global_stride", "b64", "l", "0, ", 64ull);
    REPLACE_IN_GLOBAL("element_stride", "b32", "r", "1, ", 1);
    REPLACE_IN_GLOBAL("fill_mode", "b32", "n", "", 0);
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(there) : "memory");
  }
  __syncwarp();
  load(&maps[blockIdx.x], c, -4, 3, bar, 0);
  for (unsigned i = t; i < 128; i += 32) {
    out[blockIdx.x * 384 + i] = a[i];
    out[blockIdx.x * 384 + 128 + i] = b[i];
    out[blockIdx.x * 384 + 256 + i] = c[i];
  }
}
