// Sine and cosine, whose error the manual bounds absolutely (2^-20.5), where they are not small.
// tolerance: 0x1p-17
// launch: kernel=sine_cosine grid=1 block=256 args=values:b32[16]={0x3f800000,0xbf800000,0x40000000,0x3e99999a,0x41200000,0xc2c80000,0x3a83126f,0x42f60000,0x7f7fffff,0x00800000,0x007fffff,0x80000001,0x7f800000,0xff800000,0x7fc00000,0x3eaaaaab},out:b32[512]=0
#include "operations.h"

extern "C" __global__ void sine_cosine(const float *values, float *out) {
  float a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  UNARY(float, "f", float, "f", "sin.approx.f32", 0.5f + 0.4f * a / (4 + fabsf(a)));
  UNARY(float, "f", float, "f", "cos.approx.f32", 0.5f + 0.4f * a / (4 + fabsf(a)));
}
