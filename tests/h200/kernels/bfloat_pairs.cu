// Arithmetic on pairs of bfloat16.
// launch: kernel=bfloat_pairs grid=1 block=256 args=values:u32[16]={0,0x80008000,0x3f803f80,0xbc003e00,0x3e00bc00,0x42484248,0x7bff0001,0xfbff7bff,0x04000400,0x03ff8400,0x80010001,0x7c003f80,0xfc007c00,0x7e003f80,0x64015555,0x35553c01},out:u32[2560]=0
#include "operations.h"

extern "C" __global__ void bfloat_pairs(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  U2("add.bf16x2");
  U2("sub.bf16x2");
  U2("mul.bf16x2");
  U2("min.bf16x2");
  U2("max.bf16x2");
  U2("max.NaN.bf16x2");
  U1("abs.bf16x2");
  U1("neg.bf16x2");
  U3("fma.rn.bf16x2");
  U3("fma.rn.relu.bf16x2");
}
