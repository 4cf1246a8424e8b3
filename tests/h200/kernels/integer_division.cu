// Quotients and remainders of every width; divisors are odd, so never zero.
// launch: kernel=integer_division grid=1 block=256 args=values:u64[16]={0,1,2,3,31,33,63,64,65,0xffff,0x7fffffff,0x80000000,0xffffffff,0x7fffffffffffffff,0x8000000000000000,0xffffffffffffffff},out:u64[3072]=0
#include "operations.h"

extern "C" __global__ void integer_division(const unsigned long long *values, unsigned long long *out) {
  unsigned long long a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  BINARY(unsigned long long, "l", "div.u64", a, "l", b | 1, "l");
  BINARY(unsigned long long, "l", "rem.u64", a, "l", b | 1, "l");
  BINARY(unsigned long long, "l", "div.s64", a, "l", b | 1, "l");
  BINARY(unsigned long long, "l", "rem.s64", a, "l", b | 1, "l");
  BINARY(unsigned, "r", "div.u32", (unsigned)a, "r", (unsigned)b | 1, "r");
  BINARY(unsigned, "r", "rem.u32", (unsigned)a, "r", (unsigned)b | 1, "r");
  BINARY(unsigned, "r", "div.s32", (unsigned)a, "r", (unsigned)b | 1, "r");
  BINARY(unsigned, "r", "rem.s32", (unsigned)a, "r", (unsigned)b | 1, "r");
  BINARY(unsigned short, "h", "div.u16", (unsigned short)a, "h", (unsigned short)(b | 1), "h");
  BINARY(unsigned short, "h", "rem.u16", (unsigned short)a, "h", (unsigned short)(b | 1), "h");
  BINARY(unsigned short, "h", "div.s16", (unsigned short)a, "h", (unsigned short)(b | 1), "h");
  BINARY(unsigned short, "h", "rem.s16", (unsigned short)a, "h", (unsigned short)(b | 1), "h");
}
