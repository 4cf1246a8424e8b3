// Arithmetic on halves.
// launch: kernel=half_arithmetic grid=1 block=256 args=values:u16[16]={0,0x8000,0x3c00,0xbc00,0x3e00,0x4248,0x7bff,0xfbff,0x0400,0x03ff,0x8001,0x7c00,0xfc00,0x7e00,0x6401,0x3555},out:u16[6656]=0
#include "operations.h"

extern "C" __global__ void half_arithmetic(const unsigned short *values, unsigned short *out) {
  unsigned short a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  H2("add.f16");
  H2("sub.f16");
  H2("mul.f16");
  H2("add.rn.f16");
  H2("add.ftz.f16");
  H2("add.sat.f16");
  H2("mul.ftz.f16");
  H2("mul.sat.f16");
  H2("sub.ftz.sat.f16");
  H2("min.f16");
  H2("max.f16");
  H2("min.ftz.f16");
  H2("min.NaN.f16");
  H2("max.NaN.f16");
  H2("max.xorsign.abs.f16");
  H1("abs.f16");
  H1("neg.f16");
  H1("neg.ftz.f16");
  H3("fma.rn.f16");
  H3("fma.rn.ftz.f16");
  H3("fma.rn.sat.f16");
  H3("fma.rn.relu.f16");
  BINARY(unsigned short, "h", "{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.b16 %0, %1, %2, p; } //", a, "h", b, "h");
  BINARY(unsigned short, "h", "{ .reg .pred p; setp.ge.f16 p, %1, %2; selp.b16 %0, %1, %2, p; } //", a, "h", b, "h");
  BINARY(unsigned short, "h", "{ .reg .pred p; setp.neu.f16 p, %1, %2; selp.b16 %0, %1, %2, p; } //", a, "h", b, "h");
  BINARY(unsigned short, "h", "{ .reg .pred p; setp.nan.f16 p, %1, %2; selp.b16 %0, %1, %2, p; } //", a, "h", b, "h");
}
