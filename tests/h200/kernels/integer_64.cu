// Integer arithmetic and bits of 64 bits.
// launch: kernel=integer_64 grid=1 block=256 args=values:u64[16]={0,1,2,3,31,33,63,64,65,0xffff,0x7fffffff,0x80000000,0xffffffff,0x7fffffffffffffff,0x8000000000000000,0xffffffffffffffff},out:u64[8448]=0
#include "operations.h"

extern "C" __global__ void integer_64(const unsigned long long *values, unsigned long long *out) {
  unsigned long long a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  L2("add.s64");
  L2("sub.u64");
  L2("mul.lo.s64");
  L2("mul.hi.s64");
  L2("mul.hi.u64");
  L2("min.s64");
  L2("min.u64");
  L2("max.s64");
  L2("max.u64");
  L2("and.b64");
  L2("or.b64");
  L2("xor.b64");
  L1("abs.s64");
  L1("neg.s64");
  L1("not.b64");
  L1("cnot.b64");
  L1("brev.b64");
  L3("mad.lo.s64");
  L3("mad.hi.s64");
  L3("mad.hi.u64");
  L3("sad.s64");
  L3("sad.u64");
  BINARY(unsigned long long, "l", "shl.b64", a, "l", (unsigned)b, "r");
  BINARY(unsigned long long, "l", "shr.s64", a, "l", (unsigned)b, "r");
  BINARY(unsigned long long, "l", "shr.u64", a, "l", (unsigned)b, "r");
  UNARY(unsigned, "r", unsigned long long, "l", "popc.b64", a);
  UNARY(unsigned, "r", unsigned long long, "l", "clz.b64", a);
  UNARY(unsigned, "r", unsigned long long, "l", "bfind.s64", a);
  UNARY(unsigned, "r", unsigned long long, "l", "bfind.u64", a);
  UNARY(unsigned, "r", unsigned long long, "l", "bfind.shiftamt.u64", a);
  TERNARY(unsigned long long, "l", "bfe.s64", a, "l", (unsigned)b, "r", (unsigned)c, "r");
  TERNARY(unsigned long long, "l", "bfe.u64", a, "l", (unsigned)b, "r", (unsigned)c, "r");
  { unsigned long long d_; asm volatile("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(d_) : "l"(a), "l"(b), "r"((unsigned)c), "r"((unsigned)c >> 3)); PUT(d_); }
}
