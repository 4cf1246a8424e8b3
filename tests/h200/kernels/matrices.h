// Elements of matrices: small whole numbers, whose sums of products are exact in any order.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum Kind { HALF, BFLOAT, TENSOR_FLOAT, WHOLE, E4M3, E5M2 };

__device__ inline unsigned mix(unsigned value) {
  value = (value ^ value >> 15) * 0x2c1b3c6du;
  value = (value ^ value >> 12) * 0x297a2d39u;
  return value ^ value >> 15;
}

// As many elements as there are in 32 bits.
__device__ inline unsigned elements(unsigned bits, Kind kind) {
  unsigned result = 0;
  if (kind == HALF)
    for (int i = 0; i < 2; i++)
      result |= (unsigned)__half_as_ushort(__int2half_rn((int)(bits >> 8 * i & 15) - 7)) << 16 * i;
  else if (kind == BFLOAT)
    for (int i = 0; i < 2; i++)
      result |= (unsigned)__bfloat16_as_ushort(__int2bfloat16_rn((int)(bits >> 8 * i & 15) - 7))
                << 16 * i;
  else if (kind == TENSOR_FLOAT)
    result = __float_as_uint((float)(int)(bits & 31) - 15.0f);
  else if (kind == WHOLE)
    result = bits;
  else
    for (int i = 0; i < 4; i += 2) {
      unsigned short pair;
      float low = (float)(int)(bits >> 8 * i & 7) - 3.0f,
            high = (float)(int)(bits >> (8 * i + 8) & 7) - 3.0f;
      if (kind == E4M3)
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low));
      else
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low));
      result |= (unsigned)pair << 8 * i;
    }
  return result;
}

// Places of the elements of a sparse matrix: two different ones in each nibble, or, of 32-bit
// elements, one.
__device__ inline unsigned places(unsigned bits, Kind kind, bool is_ordered) {
  unsigned result = 0;
  for (int i = 0; i < 8; i++) {
    unsigned bit = bits >> 4 * i & 15, low = bit & 3, high = bit >> 2;
    if (low == high)
      high = (high + 1) & 3;
    if (is_ordered && low > high) {
      unsigned swapped = low;
      low = high;
      high = swapped;
    }
    result |= (kind == TENSOR_FLOAT ? (bit & 1 ? 14u : 4u) : high << 2 | low) << 4 * i;
  }
  return result;
}
