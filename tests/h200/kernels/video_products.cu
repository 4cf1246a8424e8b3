// vmad: products of parts of words, added, negated, shifted and clamped. Without the forms of numbers without signs for
// which ptxas departs from the manual (it extends c by its sign).
// launch: kernel=video_products grid=1 block=256 args=in:u32[16]={0,1,2,127,128,255,256,32767,32768,65535,0x7fffffff,0x80000000,0xffffffff,0xfffffffe,0x80ff7f01,0x12345678},out:u32[10240]=0
#include "operations.h"
#define NEGATED(text, a, b, c)                                                                     \
  {                                                                                                \
    unsigned d_;                                                                                   \
    asm volatile(text : "=r"(d_) : "r"(a), "r"(b), "r"(c));                                        \
    PUT(d_);                                                                                       \
  }
extern "C" __global__ void video_products(const unsigned *in, unsigned *out) {
  unsigned row = 0, a = FIRST(in), b = SECOND(in), c = THIRD(in);
  NEGATED("vmad.s32.s32.s32 %0, %1.h0, %2.h1, %3;", a, b, c);
  NEGATED("vmad.u32.u32.u32 %0, %1.b0, %2.h1, %3;", a, b, c);
  NEGATED("vmad.u32.u32.u32 %0, %1, %2.h0, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32 %0, %1, %2.h0, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32.sat %0, %1, %2.h1, %3;", a, b, c);
  NEGATED("vmad.s32.u32.s32.sat %0, %1.b3, %2.h0, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32 %0, %1, %2.h0, -%3;", a, b, c);
  NEGATED("vmad.s32.s32.s32 %0, -%1, %2.h0, %3;", a, b, c);
  NEGATED("vmad.s32.s32.u32.sat %0, %1.h1, -%2.b2, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32.po %0, %1.h0, %2.h1, %3;", a, b, c);
  NEGATED("vmad.u32.u32.u32.po %0, %1, %2.b0, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32.shr7 %0, %1.h0, %2.h1, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32.shr15 %0, %1, %2.h0, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32.sat.shr7 %0, %1, %2.h1, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32.sat.po.shr15 %0, %1, %2.h0, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32.sat.shr7 %0, %1, %2.h0, -%3;", a, b, c);
  NEGATED("vmad.s32.s32.s32 %0, %1, %2, %3;", a, b, c);
  NEGATED("vmad.u32.u32.u32 %0, %1, %2, %3;", a, b, c);
  NEGATED("vmad.s32.s32.s32.sat.shr15 %0, %1, %2, %3;", a, b, c);
}
