// What becomes of the bits of NaNs.
// launch: kernel=not_a_number grid=1 block=256 args=values:b32[16]={0x7fc00000,0xffc00000,0x7f800001,0xff800001,0x7fffffff,0xffffffff,0x7fc12345,0xffa54321,0x7fbfffff,0x7fc00001,0,0x3f800000,0x7f800000,0xff800000,0x00000001,0x80000001},out:u32[6912]=0
#include "operations.h"

extern "C" __global__ void not_a_number(const float *values, unsigned *out) {
  float a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  UNARY(unsigned, "r", float, "f", "abs.f32", a);
  UNARY(unsigned, "r", float, "f", "neg.f32", a);
  UNARY(unsigned, "r", float, "f", "abs.ftz.f32", a);
  UNARY(unsigned, "r", float, "f", "neg.ftz.f32", a);
  UNARY(unsigned, "r", float, "f", "rcp.rn.f32", a);
  UNARY(unsigned, "r", float, "f", "sqrt.rn.f32", a);
  UNARY(unsigned, "r", float, "f", "cvt.ftz.f32.f32", a);
  UNARY(unsigned, "r", float, "f", "cvt.sat.f32.f32", a);
  UNARY(unsigned, "r", float, "f", "cvt.rni.f32.f32", a);
  UNARY(unsigned, "r", float, "f", "cvt.rna.tf32.f32", a);
  UNARY(unsigned, "r", float, "f", "cvt.rni.s32.f32", a);
  BINARY(unsigned, "r", "add.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "mul.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "div.rn.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "min.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "max.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "min.NaN.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "copysign.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "max.ftz.f32", a, "f", b, "f");
  TERNARY(unsigned, "r", "fma.rn.f32", a, "f", b, "f", c, "f");
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.u32.u16 %0, h; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rn.bf16.f32 h, %1; cvt.u32.u16 %0, h; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .f64 w; .reg .b32 l, m; cvt.f64.f32 w, %1; mov.b64 {l, m}, w; xor.b32 %0, l, m; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; .reg .b32 w; mov.b32 w, %1; shr.u32 w, w, 16; cvt.u16.u32 h, w; abs.bf16 h, h; cvt.u32.u16 %0, h; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; .reg .b32 w; mov.b32 w, %1; shr.u32 w, w, 16; cvt.u16.u32 h, w; neg.bf16 h, h; cvt.u32.u16 %0, h; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; .reg .b32 w; mov.b32 w, %1; shr.u32 w, w, 16; cvt.u16.u32 h, w; abs.f16 h, h; cvt.u32.u16 %0, h; } //", a);
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; .reg .b32 w; mov.b32 w, %1; shr.u32 w, w, 16; cvt.u16.u32 h, w; neg.f16 h, h; cvt.u32.u16 %0, h; } //", a);
}
