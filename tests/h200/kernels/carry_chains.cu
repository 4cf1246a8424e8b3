// Sums, differences and products that pass a carry on.
// launch: kernel=carry_chains grid=1 block=256 args=values:u32[16]={0,1,2,3,5,31,32,33,255,256,0x7fff,0x8000,0xffff,0x7fffffff,0x80000000,0xffffffff},out:u32[1536]=0
#include "operations.h"

extern "C" __global__ void carry_chains(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  { unsigned x, y, z; asm volatile("add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %5; addc.u32 %2, %3, %5;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c)); PUT(x ^ y * 3 ^ z * 5); }
  { unsigned x, y, z; asm volatile("sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %4, %5; subc.u32 %2, %3, %5;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c)); PUT(x ^ y * 3 ^ z * 5); }
  { unsigned x, y, z; asm volatile("mad.lo.cc.u32 %0, %3, %4, %5; madc.hi.cc.u32 %1, %3, %4, %5; madc.lo.u32 %2, %4, %5, %3;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c)); PUT(x ^ y * 3 ^ z * 5); }
  { unsigned x, y, z; asm volatile("mad.lo.cc.s32 %0, %3, %4, %5; madc.hi.cc.s32 %1, %3, %4, %5; addc.s32 %2, %4, %5;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c)); PUT(x ^ y * 3 ^ z * 5); }
  { unsigned long long x, y; asm volatile("add.cc.u64 %0, %2, %3; addc.u64 %1, %3, %4;" : "=l"(x), "=l"(y) : "l"((unsigned long long)a << 32 | b), "l"((unsigned long long)b << 32 | c), "l"((unsigned long long)c << 32 | a)); PUT((unsigned)(x >> 32) ^ (unsigned)x * 3 ^ (unsigned)(y >> 32) * 5 ^ (unsigned)y * 7); }
  { unsigned long long x, y; asm volatile("sub.cc.u64 %0, %2, %3; subc.u64 %1, %3, %4;" : "=l"(x), "=l"(y) : "l"((unsigned long long)a << 32 | b), "l"((unsigned long long)b << 32 | c), "l"((unsigned long long)c << 32 | a)); PUT((unsigned)(x >> 32) ^ (unsigned)x * 3 ^ (unsigned)(y >> 32) * 5 ^ (unsigned)y * 7); }
}
