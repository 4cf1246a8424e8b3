// Approximate functions: within the bounds of the manual, not bit for bit.
// tolerance: 0x1p-20
// launch: kernel=approximations grid=1 block=256 args=values:b32[16]={0x3f800000,0xbf800000,0x40000000,0x3e99999a,0x41200000,0xc2c80000,0x3a83126f,0x42f60000,0x7f7fffff,0x00800000,0x007fffff,0x80000001,0x7f800000,0xff800000,0x7fc00000,0x3eaaaaab},out:b32[3072]=0
#include "operations.h"

extern "C" __global__ void approximations(const float *values, float *out) {
  float a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  F1("rcp.approx.f32");
  F1("sqrt.approx.f32");
  F1("rsqrt.approx.f32");
  F1("ex2.approx.f32");
  F1("lg2.approx.f32");
  F1("rcp.approx.ftz.f32");
  F1("sqrt.approx.ftz.f32");
  F1("rsqrt.approx.ftz.f32");
  F1("ex2.approx.ftz.f32");
  F1("lg2.approx.ftz.f32");
  F2("div.approx.f32");
  F2("div.full.f32");
}
