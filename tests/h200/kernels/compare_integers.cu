// Comparisons of integers: set, setp with a second predicate, selp, slct.
// launch: kernel=compare_integers grid=1 block=256 args=values:u32[16]={0,1,2,3,5,31,32,33,255,256,0x7fff,0x8000,0xffff,0x7fffffff,0x80000000,0xffffffff},out:u32[7936]=0
#include "operations.h"

extern "C" __global__ void compare_integers(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  U2("set.eq.u32.s32");
  U2("set.ne.u32.s32");
  U2("set.lt.u32.s32");
  U2("set.le.u32.s32");
  U2("set.gt.u32.s32");
  U2("set.ge.u32.s32");
  U2("set.eq.u32.u32");
  U2("set.ne.u32.u32");
  U2("set.lt.u32.u32");
  U2("set.le.u32.u32");
  U2("set.gt.u32.u32");
  U2("set.ge.u32.u32");
  U2("set.lo.u32.u32");
  U2("set.ls.u32.u32");
  U2("set.hi.u32.u32");
  U2("set.hs.u32.u32");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.lt.and.s32 p|q, %1, %2, r; selp.b32 %0, %1, %2, p; @q add.u32 %0, %0, 1; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.lt.and.u32 p|q, %1, %2, r; selp.b32 %0, %1, %2, p; @q add.u32 %0, %0, 1; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.ge.and.s32 p|q, %1, %2, r; selp.b32 %0, %1, %2, p; @q add.u32 %0, %0, 1; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.ge.and.u32 p|q, %1, %2, r; selp.b32 %0, %1, %2, p; @q add.u32 %0, %0, 1; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.ne.and.s32 p|q, %1, %2, r; selp.b32 %0, %1, %2, p; @q add.u32 %0, %0, 1; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.ne.and.u32 p|q, %1, %2, r; selp.b32 %0, %1, %2, p; @q add.u32 %0, %0, 1; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.lt.or.s32 p|q, %1, %2, !r; selp.b32 %0, 1, 0, p; @q add.u32 %0, %0, 2; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.lt.xor.s32 p|q, %1, %2, !r; selp.b32 %0, 1, 0, p; @q add.u32 %0, %0, 2; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.lt.and.s32 p|q, %1, %2, !r; selp.b32 %0, 1, 0, p; @q add.u32 %0, %0, 2; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.eq.or.s32 p|q, %1, %2, !r; selp.b32 %0, 1, 0, p; @q add.u32 %0, %0, 2; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.eq.xor.s32 p|q, %1, %2, !r; selp.b32 %0, 1, 0, p; @q add.u32 %0, %0, 2; } //");
  U2("{ .reg .pred p, q, r; setp.gt.s32 r, %1, 3; setp.eq.and.s32 p|q, %1, %2, !r; selp.b32 %0, 1, 0, p; @q add.u32 %0, %0, 2; } //");
  U3("slct.s32.s32");
  U3("slct.u32.s32");
  U3("slct.b32.s32");
}
