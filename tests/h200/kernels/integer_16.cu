// Integer arithmetic on 16 bits.
// launch: kernel=integer_16 grid=1 block=256 args=values:u16[16]={0,1,2,3,7,15,16,17,127,128,255,256,0x7fff,0x8000,0xfffe,0xffff},out:u16[6656]=0
#include "operations.h"

extern "C" __global__ void integer_16(const unsigned short *values, unsigned short *out) {
  unsigned short a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  H2("add.s16");
  H2("sub.u16");
  H2("mul.lo.s16");
  H2("mul.lo.u16");
  H2("mul.hi.s16");
  H2("mul.hi.u16");
  H2("min.s16");
  H2("min.u16");
  H2("max.s16");
  H2("max.u16");
  H2("and.b16");
  H2("or.b16");
  H2("xor.b16");
  H1("abs.s16");
  H1("neg.s16");
  H1("not.b16");
  H1("cnot.b16");
  H3("mad.lo.s16");
  H3("mad.lo.u16");
  H3("mad.hi.s16");
  H3("mad.hi.u16");
  H3("sad.s16");
  H3("sad.u16");
  BINARY(unsigned short, "h", "shl.b16", a, "h", (unsigned)b, "r");
  BINARY(unsigned short, "h", "shr.s16", a, "h", (unsigned)b, "r");
  BINARY(unsigned short, "h", "shr.u16", a, "h", (unsigned)b, "r");
}
