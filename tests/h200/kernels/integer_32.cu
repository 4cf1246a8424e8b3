// Integer arithmetic on 32 bits: low and high halves, saturation, absolute difference.
// launch: kernel=integer_32 grid=1 block=256 args=values:u32[16]={0,1,2,3,5,31,32,33,255,256,0x7fff,0x8000,0xffff,0x7fffffff,0x80000000,0xffffffff},out:u32[10240]=0
#include "operations.h"

extern "C" __global__ void integer_32(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  U2("add.s32");
  U2("add.u32");
  U2("add.sat.s32");
  U2("sub.s32");
  U2("sub.sat.s32");
  U2("mul.lo.s32");
  U2("mul.lo.u32");
  U2("mul.hi.s32");
  U2("mul.hi.u32");
  U2("mul24.lo.s32");
  U2("mul24.lo.u32");
  U2("mul24.hi.s32");
  U2("mul24.hi.u32");
  U2("min.s32");
  U2("min.u32");
  U2("max.s32");
  U2("max.u32");
  U1("abs.s32");
  U1("neg.s32");
  U1("not.b32");
  U1("cnot.b32");
  U1("popc.b32");
  U1("clz.b32");
  U1("brev.b32");
  U1("bfind.s32");
  U1("bfind.u32");
  U1("bfind.shiftamt.s32");
  U1("bfind.shiftamt.u32");
  U3("mad.lo.s32");
  U3("mad.lo.u32");
  U3("mad.hi.s32");
  U3("mad.hi.u32");
  U3("mad.hi.sat.s32");
  U3("mad24.lo.s32");
  U3("mad24.lo.u32");
  U3("mad24.hi.s32");
  U3("mad24.hi.u32");
  U3("mad24.hi.sat.s32");
  U3("sad.s32");
  U3("sad.u32");
}
