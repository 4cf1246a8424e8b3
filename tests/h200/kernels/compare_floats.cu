// Comparisons of floats, ordered and unordered.
// launch: kernel=compare_floats grid=1 block=256 args=values:b32[16]={0,0x80000000,0x3f800000,0xbf800000,0x3fc00000,0x40490fdb,0x7f7fffff,0xff7fffff,0x00800000,0x007fffff,0x80000001,0x7f800000,0xff800000,0x7fc00000,0x4b000001,0x3eaaaaab},out:u32[6912]=0
#include "operations.h"

extern "C" __global__ void compare_floats(const float *values, unsigned *out) {
  float a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  BINARY(unsigned, "r", "set.eq.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.ne.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.lt.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.le.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.gt.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.ge.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.equ.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.neu.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.ltu.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.leu.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.gtu.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.geu.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.num.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.nan.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.eq.ftz.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.lt.ftz.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.geu.ftz.u32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.lt.f32.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "set.neu.f32.f32", a, "f", b, "f");
  UNARY(unsigned, "r", float, "f", "{ .reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 1, 0, p; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .pred p; testp.number.f32 p, %1; selp.u32 %0, 1, 0, p; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .pred p; testp.notanumber.f32 p, %1; selp.u32 %0, 1, 0, p; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; } //", a);
  TERNARY(unsigned, "r", "slct.u32.f32", 1, "r", 2, "r", a, "f");
  TERNARY(unsigned, "r", "slct.ftz.u32.f32", 1, "r", 2, "r", a, "f");
}
