// mma of bytes, signed and unsigned.
// launch: kernel=matrix_multiply_integer grid=1 block=32 args=in:u32[192]=random:39,out:s32[384]=0
extern "C" __global__ void matrix_multiply_integer(const unsigned *in, int *out) {
  unsigned t = threadIdx.x;
  const unsigned *a = in + t * 6, *b = a + 4;
  int d[4] = {(int)t, -3, 1 << 20, 0};
#define MULTIPLY(shape, type_a, type_b)                                                            \
  asm volatile("mma.sync.aligned." shape ".row.col.s32." type_a "." type_b ".s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  MULTIPLY("m16n8k32", "s8", "s8");
  for (int i = 0; i < 4; i++)
    out[t * 4 + i] = d[i];
  MULTIPLY("m16n8k32", "u8", "u8");
  for (int i = 0; i < 4; i++)
    out[128 + t * 4 + i] = d[i];
  MULTIPLY("m16n8k32", "u8", "s8");
  for (int i = 0; i < 4; i++)
    out[256 + t * 4 + i] = d[i];
}
