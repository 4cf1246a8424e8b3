// Conversions of floats to integers and to other floats.
// launch: kernel=convert_from_floats grid=1 block=256 args=values:b32[16]={0,0x80000000,0x3f800000,0xbf800000,0x3fc00000,0x40490fdb,0x7f7fffff,0xff7fffff,0x00800000,0x007fffff,0x80000001,0x7f800000,0xff800000,0x7fc00000,0x4b000001,0x3eaaaaab},out:u32[10240]=0
#include "operations.h"

extern "C" __global__ void convert_from_floats(const float *values, unsigned *out) {
  float a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  UNARY(unsigned, "r", float, "f", "cvt.rni.s32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rni.u32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rzi.s32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rzi.u32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rmi.s32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rmi.u32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rpi.s32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rpi.u32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rni.f32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rzi.f32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rmi.f32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rpi.f32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.sat.f32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.ftz.f32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "cvt.rzi.ftz.sat.f32.f32", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rz.f16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rn.ftz.f16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rn.sat.f16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rn.relu.f16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rn.bf16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rz.bf16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b16 h; cvt.rn.relu.bf16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  BINARY(unsigned, "r", "cvt.rn.f16x2.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "cvt.rz.f16x2.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "cvt.rn.relu.f16x2.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "cvt.rn.bf16x2.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "cvt.rz.bf16x2.f32", a, "f", b, "f");
  BINARY(unsigned, "r", "cvt.rn.relu.bf16x2.f32", a, "f", b, "f");
  UNARY(unsigned, "r", float, "f", "cvt.rna.tf32.f32", a);
  BINARY(unsigned, "r", "{ .reg .b16 h; cvt.rn.satfinite.e4m3x2.f32 h, %1, %2; cvt.u32.u16 %0, h; } //", a, "f", b, "f");
  BINARY(unsigned, "r", "{ .reg .b16 h; cvt.rn.satfinite.e5m2x2.f32 h, %1, %2; cvt.u32.u16 %0, h; } //", a, "f", b, "f");
  UNARY(unsigned, "r", float, "f", "{ .reg .s16 h; cvt.rni.s16.f32 h, %1; cvt.u32.s16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .s16 h; cvt.rzi.s16.f32 h, %1; cvt.u32.s16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .u16 h; cvt.rni.u16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .u16 h; cvt.rzi.u16.f32 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b64 w; cvt.rni.s64.f32 w, %1; xor.b64 w, w, 0; { .reg .b32 l, m; mov.b64 {l, m}, w; xor.b32 %0, l, m; } } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b64 w; cvt.rzi.s64.f32 w, %1; xor.b64 w, w, 0; { .reg .b32 l, m; mov.b64 {l, m}, w; xor.b32 %0, l, m; } } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b64 w; cvt.rni.u64.f32 w, %1; xor.b64 w, w, 0; { .reg .b32 l, m; mov.b64 {l, m}, w; xor.b32 %0, l, m; } } //", a * (b + 2.5f));
  UNARY(unsigned, "r", float, "f", "{ .reg .b64 w; cvt.rzi.u64.f32 w, %1; xor.b64 w, w, 0; { .reg .b32 l, m; mov.b64 {l, m}, w; xor.b32 %0, l, m; } } //", a * (b + 2.5f));
}
