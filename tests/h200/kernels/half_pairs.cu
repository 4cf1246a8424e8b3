// Arithmetic on pairs of halves.
// launch: kernel=half_pairs grid=1 block=256 args=values:u32[16]={0,0x80008000,0x3c003c00,0xbc003e00,0x3e00bc00,0x42484248,0x7bff0001,0xfbff7bff,0x04000400,0x03ff8400,0x80010001,0x7c003c00,0xfc007c00,0x7e003c00,0x64015555,0x35553c01},out:u32[4608]=0
#include "operations.h"

extern "C" __global__ void half_pairs(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  U2("add.f16x2");
  U2("sub.f16x2");
  U2("mul.f16x2");
  U2("add.sat.f16x2");
  U2("mul.ftz.f16x2");
  U2("min.f16x2");
  U2("max.f16x2");
  U2("min.NaN.f16x2");
  U2("max.xorsign.abs.f16x2");
  U2("set.lt.f16x2.f16x2");
  U2("set.geu.f16x2.f16x2");
  U1("abs.f16x2");
  U1("neg.f16x2");
  U3("fma.rn.f16x2");
  U3("fma.rn.ftz.f16x2");
  U3("fma.rn.sat.f16x2");
  U3("fma.rn.relu.f16x2");
  U2("{ .reg .pred p, q; setp.lt.f16x2 p|q, %1, %2; selp.b32 %0, 1, 0, p; @q add.u32 %0, %0, 2; } //");
}
