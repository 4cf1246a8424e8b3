// mma of 4 bits, of single bits, with saturation, and of floats of 8 bits whose sums are exact.
// launch: kernel=matrix_multiply_narrow grid=1 block=32 args=in:u32[192]=random:40,out:s32[1664]=0
#define FOUR(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define LARGE(operation, d)                                                                        \
  asm volatile("mma.sync.aligned." operation " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : FOUR(d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define HALF(operation, d)                                                                         \
  asm volatile("mma.sync.aligned." operation " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" : FOUR(d) : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define SMALL(operation, d)                                                                        \
  asm volatile("mma.sync.aligned." operation " {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(b[0]))
#define SHOW(count)                                                                                \
  for (int i = 0; i < count; i++)                                                                  \
    *to++ = d[i]
#define START(first, second)                                                                       \
  d[0] = first, d[1] = second, d[2] = (int)thread, d[3] = -7

// Pairs of whole numbers from -3 to 4 as e4m3 or e5m2.
__device__ unsigned small_floats(unsigned bits, bool is_wide) {
  unsigned short low, high;
  float x[4];
  for (int i = 0; i < 4; i++)
    x[i] = (float)(int)(bits >> 8 * i & 7) - 3.0f;
  if (is_wide) {
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(low) : "f"(x[1]), "f"(x[0]));
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(high) : "f"(x[3]), "f"(x[2]));
  } else {
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(low) : "f"(x[1]), "f"(x[0]));
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(high) : "f"(x[3]), "f"(x[2]));
  }
  return (unsigned)high << 16 | low;
}

extern "C" __global__ void matrix_multiply_narrow(const unsigned *in, int *out) {
  unsigned thread = threadIdx.x;
  unsigned a[4], b[2];
  int d[4], *to = out + thread * 52;
  for (int i = 0; i < 4; i++)
    a[i] = in[thread * 6 + i];
  for (int i = 0; i < 2; i++)
    b[i] = in[thread * 6 + 4 + i];
  START(1, 2);
  SMALL("m8n8k32.row.col.s32.s4.u4.s32", d);
  SMALL("m8n8k32.row.col.s32.u4.u4.s32", d);
  HALF("m16n8k32.row.col.s32.u4.s4.s32", d);
  SHOW(4);
  START(3, 4);
  LARGE("m16n8k64.row.col.s32.s4.s4.s32", d);
  SHOW(4);
  START(0x7fffff00, -0x7fffff00);
  LARGE("m16n8k64.row.col.satfinite.s32.u4.u4.s32", d);
  SHOW(4);
  START(0x7fffff00, -0x7fffff00);
  LARGE("m16n8k64.row.col.s32.u4.u4.s32", d);
  SHOW(4);
  START(0x7fff0000, -0x7fff0000);
  LARGE("m16n8k32.row.col.satfinite.s32.s8.s8.s32", d);
  SHOW(4);
  START(0x7ffffff0, -5);
  SMALL("m8n8k16.row.col.satfinite.s32.u8.u8.s32", d);
  SHOW(2);
  START(5, 6);
  SMALL("m8n8k128.row.col.s32.b1.b1.s32.xor.popc", d);
  SHOW(2);
  START(7, 8);
  HALF("m16n8k128.row.col.s32.b1.b1.s32.and.popc", d);
  SHOW(4);
  START(9, 10);
  LARGE("m16n8k256.row.col.s32.b1.b1.s32.and.popc", d);
  SHOW(4);
  START(11, 12);
  LARGE("m16n8k256.row.col.s32.b1.b1.s32.xor.popc", d);
  SHOW(4);
  START(0x7ffffffe, 0);
  LARGE("m16n8k256.row.col.s32.b1.b1.s32.and.popc", d);
  SHOW(4);
  // Floats of 8 bits: C is whole, too.
  unsigned bits[6];
  for (int kind = 0; kind < 3; kind++) {
    float f[4] = {1.0f, -2.0f, (float)thread, 0.0f};
    for (int i = 0; i < 6; i++)
      bits[i] = small_floats(in[thread * 6 + i], i < 4 ? kind == 1 : kind > 0);
#define FLOATS(types)                                                                              \
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." types ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]) : "r"(bits[0]), "r"(bits[1]), "r"(bits[2]), "r"(bits[3]), "r"(bits[4]), "r"(bits[5]))
    if (kind == 0)
      FLOATS("e4m3.e4m3");
    else if (kind == 1)
      FLOATS("e5m2.e5m2");
    else
      FLOATS("e4m3.e5m2");
    for (int i = 0; i < 4; i++)
      *to++ = __float_as_int(f[i]);
  }
}
