// Dot products of bytes and halves.
// launch: kernel=dot_products grid=1 block=256 args=values:u32[16]={0,1,2,3,5,31,32,33,255,256,0x7fff,0x8000,0xffff,0x7fffffff,0x80000000,0xffffffff},out:u32[2560]=0
#include "operations.h"

extern "C" __global__ void dot_products(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  U3("dp4a.u32.u32");
  U3("dp4a.s32.s32");
  U3("dp4a.u32.s32");
  U3("dp4a.s32.u32");
  U3("dp2a.lo.u32.u32");
  U3("dp2a.lo.s32.s32");
  U3("dp2a.hi.u32.u32");
  U3("dp2a.hi.s32.s32");
  U3("dp2a.lo.u32.s32");
  U3("dp2a.hi.s32.u32");
}
