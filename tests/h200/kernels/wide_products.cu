// Products of twice the width, with and without an addend.
// launch: kernel=wide_products grid=1 block=256 args=values:u32[16]={0,1,2,3,5,31,32,33,255,256,0x7fff,0x8000,0xffff,0x7fffffff,0x80000000,0xffffffff},out:u64[2048]=0
#include "operations.h"

extern "C" __global__ void wide_products(const unsigned *values, unsigned long long *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  BINARY(unsigned long long, "l", "mul.wide.s32", a, "r", b, "r");
  BINARY(unsigned long long, "l", "mul.wide.u32", a, "r", b, "r");
  TERNARY(unsigned long long, "l", "mad.wide.s32", a, "r", b, "r", (unsigned long long)c << 31, "l");
  TERNARY(unsigned long long, "l", "mad.wide.u32", a, "r", b, "r", ~0ull - c, "l");
  BINARY(unsigned, "r", "mul.wide.s16", (unsigned short)a, "h", (unsigned short)b, "h");
  BINARY(unsigned, "r", "mul.wide.u16", (unsigned short)a, "h", (unsigned short)b, "h");
  TERNARY(unsigned, "r", "mad.wide.s16", (unsigned short)a, "h", (unsigned short)b, "h", c, "r");
  TERNARY(unsigned, "r", "mad.wide.u16", (unsigned short)a, "h", (unsigned short)b, "h", c, "r");
}
