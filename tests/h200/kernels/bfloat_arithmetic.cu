// Arithmetic on bfloat16.
// launch: kernel=bfloat_arithmetic grid=1 block=256 args=values:u16[16]={0,0x8000,0x3f80,0xbf80,0x3fc0,0x4049,0x7f7f,0xff7f,0x0080,0x007f,0x8001,0x7f80,0xff80,0x7fc0,0x4b01,0x3eab},out:u16[3584]=0
#include "operations.h"

extern "C" __global__ void bfloat_arithmetic(const unsigned short *values, unsigned short *out) {
  unsigned short a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  H2("add.bf16");
  H2("sub.bf16");
  H2("mul.bf16");
  H2("min.bf16");
  H2("max.bf16");
  H2("min.NaN.bf16");
  H2("max.NaN.bf16");
  H2("max.NaN.xorsign.abs.bf16");
  H1("abs.bf16");
  H1("neg.bf16");
  H3("fma.rn.bf16");
  H3("fma.rn.relu.bf16");
  BINARY(unsigned short, "h", "{ .reg .pred p; setp.lt.bf16 p, %1, %2; selp.b16 %0, %1, %2, p; } //", a, "h", b, "h");
  BINARY(unsigned short, "h", "{ .reg .pred p; setp.geu.bf16 p, %1, %2; selp.b16 %0, %1, %2, p; } //", a, "h", b, "h");
}
