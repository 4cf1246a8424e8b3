// Conversions of doubles.
// launch: kernel=convert_from_doubles grid=1 block=256 args=values:b64[16]={0,0x8000000000000000,0x3ff0000000000000,0xbff8000000000000,0x400921fb54442d18,0x7fefffffffffffff,0x0010000000000000,0x000fffffffffffff,0x8000000000000001,0x7ff0000000000000,0xfff0000000000000,0x7ff8000000000000,0x4330000000000001,0x3fd5555555555555,0x41dfffffffc00000,0xc1e0000000000001},out:u64[6912]=0
#include "operations.h"

extern "C" __global__ void convert_from_doubles(const double *values, unsigned long long *out) {
  double a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  UNARY(unsigned long long, "l", double, "d", "cvt.rni.s64.f64", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "cvt.rni.u64.f64", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "cvt.rzi.s64.f64", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "cvt.rzi.u64.f64", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "cvt.rmi.s64.f64", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "cvt.rmi.u64.f64", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "cvt.rpi.s64.f64", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "cvt.rpi.u64.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "cvt.rni.s32.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "cvt.rni.u32.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "cvt.rzi.s32.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "cvt.rzi.u32.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "cvt.rmi.s32.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "cvt.rmi.u32.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "cvt.rpi.s32.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "cvt.rpi.u32.f64", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "{ .reg .f32 h; cvt.rn.f32.f64 h, %1; mov.b32 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "{ .reg .f32 h; cvt.rz.f32.f64 h, %1; mov.b32 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "{ .reg .f32 h; cvt.rm.f32.f64 h, %1; mov.b32 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "{ .reg .f32 h; cvt.rp.f32.f64 h, %1; mov.b32 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "{ .reg .f32 h; cvt.rn.ftz.f32.f64 h, %1; mov.b32 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "{ .reg .f32 h; cvt.rn.sat.f32.f64 h, %1; mov.b32 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned, "r", double, "d", "{ .reg .b16 h; cvt.rn.f16.f64 h, %1; cvt.u32.u16 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "{ .reg .f64 h; cvt.rni.f64.f64 h, %1; mov.b64 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "{ .reg .f64 h; cvt.rzi.f64.f64 h, %1; mov.b64 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "{ .reg .f64 h; cvt.rmi.f64.f64 h, %1; mov.b64 %0, h; } //", a * (b + 2.5));
  UNARY(unsigned long long, "l", double, "d", "{ .reg .f64 h; cvt.rpi.f64.f64 h, %1; mov.b64 %0, h; } //", a * (b + 2.5));
}
