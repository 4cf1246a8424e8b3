// Conversions between halves, bfloat16, 8-bit floats and floats.
// launch: kernel=convert_small_floats grid=1 block=256 args=values:u16[16]={0,0x8000,0x3c00,0xbc00,0x3e00,0x4248,0x7bff,0xfbff,0x0400,0x03ff,0x8001,0x7c00,0xfc00,0x7e00,0x6401,0x3555},out:u32[5120]=0
#include "operations.h"

extern "C" __global__ void convert_small_floats(const unsigned short *values, unsigned *out) {
  unsigned short a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  UNARY(unsigned, "r", unsigned short, "h", "{ .reg .b32 f; cvt.f32.f16 f, %1; mov.b32 %0, f; } //", a);
  UNARY(unsigned, "r", unsigned short, "h", "{ .reg .b32 f; cvt.ftz.f32.f16 f, %1; mov.b32 %0, f; } //", a);
  UNARY(unsigned, "r", unsigned short, "h", "{ .reg .b32 f; cvt.f32.bf16 f, %1; mov.b32 %0, f; } //", a);
  UNARY(unsigned, "r", unsigned short, "h", "{ .reg .b32 f; cvt.sat.f32.f16 f, %1; mov.b32 %0, f; } //", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rni.s32.f16", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rni.u32.f16", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rzi.s32.f16", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rzi.u32.f16", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rmi.s32.f16", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rmi.u32.f16", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rpi.s32.f16", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rpi.u32.f16", a);
  UNARY(unsigned, "r", unsigned short, "h", "{ .reg .b16 f; cvt.rni.f16.f16 f, %1; cvt.u32.u16 %0, f; } //", a);
  UNARY(unsigned, "r", unsigned short, "h", "{ .reg .b16 f; cvt.rzi.f16.f16 f, %1; cvt.u32.u16 %0, f; } //", a);
  UNARY(unsigned, "r", unsigned short, "h", "{ .reg .b16 f; cvt.rmi.f16.f16 f, %1; cvt.u32.u16 %0, f; } //", a);
  UNARY(unsigned, "r", unsigned short, "h", "{ .reg .b16 f; cvt.rpi.f16.f16 f, %1; cvt.u32.u16 %0, f; } //", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rn.f16x2.e4m3x2", a);
  UNARY(unsigned, "r", unsigned short, "h", "cvt.rn.f16x2.e5m2x2", a);
  UNARY(unsigned, "r", unsigned, "r", "{ .reg .b16 f; cvt.rn.satfinite.e4m3x2.f16x2 f, %1; cvt.u32.u16 %0, f; } //", (unsigned)a << 16 | b);
  UNARY(unsigned, "r", unsigned, "r", "{ .reg .b16 f; cvt.rn.satfinite.e5m2x2.f16x2 f, %1; cvt.u32.u16 %0, f; } //", (unsigned)a << 16 | b);
}
