// wgmma.sp: a sparse first factor in registers and in shared memory. Compiled with -arch=sm_90a.
// launch: kernel=warpgroup_sparse grid=1 block=128 args=out:s32[8192]=0
#include "matrices.h"

__device__ unsigned long long describe(const void *tile, unsigned leading, unsigned stride) {
  unsigned address = (unsigned)__cvta_generic_to_shared(tile);
  return (unsigned long long)((address & 0x3ffff) >> 4) | (unsigned long long)(leading >> 4) << 16 | (unsigned long long)(stride >> 4) << 32;
}

#define BEGIN asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define END                                                                                        \
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                   \
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");                                   \
  for (int i = 0; i < 4; i++)                                                                      \
    *to++ = d[i]
#define SUMS(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define SHARED(operation, selector, rest)                                                          \
  BEGIN;                                                                                           \
  asm volatile("wgmma.mma_async.sp.sync.aligned." operation " {%0, %1, %2, %3}, %4, %5, %6, " selector ", " rest ";" : SUMS(d) : "l"(first), "l"(second), "r"(where)); \
  END
#define IN_REGISTERS(operation, selector, rest)                                                    \
  BEGIN;                                                                                           \
  asm volatile("wgmma.mma_async.sp.sync.aligned." operation " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, " selector ", " rest ";" : SUMS(d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(second), "r"(where)); \
  END

extern "C" __global__ void warpgroup_sparse(int *out) {
  __shared__ alignas(128) unsigned left[512], right[128];
  unsigned thread = threadIdx.x, a[4], where;
  int d[4], *to = out + thread * 64;
  // Pieces of 16 bytes lie 128 bytes apart, groups of eight lines 256 bytes (A) or one behind the other (B).
  unsigned long long first = describe(left, 128, 256), second = describe(right, 128, 512);
  for (int i = 0; i < 4; i++)
    d[i] = 0;
  for (int step = 0; step < 6; step++) {
    const Kind kind = (Kind)step;
    for (unsigned i = thread; i < 512; i += 128)
      left[i] = elements(mix(step * 4096 + i), kind);
    right[thread] = elements(mix(step * 4096 + 512 + thread), kind);
    for (unsigned i = 0; i < 4; i++)
      a[i] = elements(mix(step * 4096 + 1024 + 4 * thread + i), kind);
    where = places(mix(step * 4096 + 2048 + thread), kind, true);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (kind == HALF) {
      SHARED("m64n8k32.f32.f16.f16", "0", "0, 1, 1, 0, 0");
      SHARED("m64n8k32.f32.f16.f16", "1", "0, 1, 1, 0, 0");
      IN_REGISTERS("m64n8k32.f32.f16.f16", "0", "1, 1, 1, 0");
      IN_REGISTERS("m64n8k32.f32.f16.f16", "1", "0, -1, 1, 1");
    } else if (kind == BFLOAT) {
      SHARED("m64n8k32.f32.bf16.bf16", "1", "0, 1, 1, 0, 1");
    } else if (kind == TENSOR_FLOAT) {
      SHARED("m64n8k16.f32.tf32.tf32", "0", "0, 1, 1");
      IN_REGISTERS("m64n8k16.f32.tf32.tf32", "1", "1, 1, 1");
    } else if (kind == WHOLE) {
      SHARED("m64n8k64.s32.s8.u8", "0", "0");
      IN_REGISTERS("m64n8k64.s32.u8.s8", "0", "1");
      IN_REGISTERS("m64n8k64.s32.s8.s8.satfinite", "0", "0");
    } else if (kind == E4M3) {
      SHARED("m64n8k64.f32.e4m3.e4m3", "0", "0, 1, 1");
    } else {
      IN_REGISTERS("m64n8k64.f32.e5m2.e5m2", "0", "0, 1, 1");
    }
    __syncthreads();
  }
}
