// wgmma: halves, bfloat16, tf32, bytes, bits and floats of 8 bits; layouts along and across k; factors in registers;
// negated factors; saturation. Compiled with -arch=sm_90a.
// launch: kernel=warpgroup_products grid=1 block=128 args=in:u32[2048]=random:50,out:s32[9216]=0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned long long describe(const void *tile, unsigned leading, unsigned stride) {
  unsigned address = (unsigned)__cvta_generic_to_shared(tile);
  return (unsigned long long)((address & 0x3ffff) >> 4) | (unsigned long long)(leading >> 4) << 16 | (unsigned long long)(stride >> 4) << 32;
}

#define BEGIN asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define END                                                                                        \
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                   \
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")
#define SUMS(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define SHARED(operation, rest, d)                                                                 \
  BEGIN;                                                                                           \
  asm volatile("wgmma.mma_async.sync.aligned." operation " {%0, %1, %2, %3}, %4, %5, " rest ";" : SUMS(d) : "l"(first), "l"(second)); \
  END
#define IN_REGISTERS(operation, rest, d)                                                           \
  BEGIN;                                                                                           \
  asm volatile("wgmma.mma_async.sync.aligned." operation " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, " rest ";" : SUMS(d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(second)); \
  END
#define SHOW                                                                                       \
  for (int i = 0; i < 4; i++)                                                                      \
    *to++ = d[i]
#define START(x)                                                                                   \
  for (int i = 0; i < 4; i++)                                                                      \
    d[i] = x

// Small whole numbers of the kind, as many as there are in 32 bits.
__device__ unsigned factors(unsigned bits, int kind) {
  unsigned result = 0;
  if (kind == 0)
    for (int i = 0; i < 2; i++)
      result |= (unsigned)__half_as_ushort(__int2half_rn((int)(bits >> 8 * i & 15) - 7)) << 16 * i;
  else if (kind == 1)
    for (int i = 0; i < 2; i++)
      result |= (unsigned)__bfloat16_as_ushort(__int2bfloat16_rn((int)(bits >> 8 * i & 15) - 7)) << 16 * i;
  else if (kind == 2)
    result = __float_as_uint((float)(int)(bits & 31) - 15.0f);
  else if (kind == 3)
    result = bits;
  else
    for (int i = 0; i < 4; i += 2) {
      unsigned short pair;
      float low = (float)(int)(bits >> 8 * i & 7) - 3.0f, high = (float)(int)(bits >> (8 * i + 8) & 7) - 3.0f;
      if (kind == 4)
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low));
      else
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low));
      result |= (unsigned)pair << 8 * i;
    }
  return result;
}

extern "C" __global__ void warpgroup_products(const unsigned *in, int *out) {
  __shared__ alignas(128) unsigned left[512], right[64];
  unsigned thread = threadIdx.x, a[4];
  int d[4], *to = out + thread * 72;
  unsigned long long first = describe(left, 128, 256), second = describe(right, 128, 256);
  for (int kind = 0; kind < 6; kind++) {
    for (unsigned i = thread; i < 512; i += 128)
      left[i] = factors(in[i], kind);
    for (unsigned i = thread; i < 64; i += 128)
      right[i] = factors(in[512 + i], kind);
    for (unsigned i = 0; i < 4; i++)
      a[i] = factors(in[1024 + 4 * thread + i], kind);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (kind == 0) {
      START(__float_as_int(i + 1.0f));
      SHARED("m64n8k16.f32.f16.f16", "1, 1, 1, 0, 0", d);
      SHOW;
      SHARED("m64n8k16.f32.f16.f16", "0, 1, 1, 0, 0", d);
      SHOW;
      IN_REGISTERS("m64n8k16.f32.f16.f16", "1, -1, 1, 0", d);
      SHOW;
      SHARED("m64n8k16.f32.f16.f16", "1, -1, -1, 0, 0", d);
      SHOW;
      SHARED("m64n8k16.f32.f16.f16", "1, 1, -1, 0, 1", d);
      SHOW;
      unsigned h[2] = {0, 0x3c00bc00};
      BEGIN;
      asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, 1, 1, 1, 0, 0;" : "+r"(h[0]), "+r"(h[1]) : "l"(first), "l"(second));
      END;
      *to++ = h[0];
      *to++ = h[1];
    } else if (kind == 1) {
      START(__float_as_int(-2.0f));
      SHARED("m64n8k16.f32.bf16.bf16", "1, 1, 1, 0, 0", d);
      SHOW;
      IN_REGISTERS("m64n8k16.f32.bf16.bf16", "1, 1, 1, 1", d);
      SHOW;
    } else if (kind == 2) {
      START(0);
      SHARED("m64n8k8.f32.tf32.tf32", "1, 1, 1", d);
      SHOW;
    } else if (kind == 3) {
      START(i - 2);
      SHARED("m64n8k32.s32.s8.u8", "1", d);
      SHOW;
      SHARED("m64n8k32.s32.u8.u8", "0", d);
      SHOW;
      IN_REGISTERS("m64n8k32.s32.s8.s8", "1", d);
      SHOW;
      START(i & 1 ? 0x7fffff00 : -0x7fffff00);
      SHARED("m64n8k32.s32.s8.s8.satfinite", "1", d);
      SHOW;
      SHARED("m64n8k256.s32.b1.b1.and.popc", "0", d);
      SHOW;
      IN_REGISTERS("m64n8k256.s32.b1.b1.and.popc", "1", d);
      SHOW;
    } else if (kind == 4) {
      START(__float_as_int(1.0f));
      SHARED("m64n8k32.f32.e4m3.e4m3", "1, 1, 1", d);
      SHOW;
      IN_REGISTERS("m64n8k32.f32.e4m3.e4m3", "1, 1, -1", d);
      SHOW;
    } else {
      START(0);
      SHARED("m64n8k32.f32.e5m2.e5m2", "1, 1, 1", d);
      SHOW;
    }
    __syncthreads();
  }
}
