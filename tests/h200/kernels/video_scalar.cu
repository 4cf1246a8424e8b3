// Scalar video instructions.
// launch: kernel=video_scalar grid=1 block=256 args=values:u32[16]={0,1,2,3,5,31,32,33,255,256,0x7fff,0x8000,0xffff,0x7fffffff,0x80000000,0xffffffff},out:u32[9984]=0
#include "operations.h"

extern "C" __global__ void video_scalar(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  U2("vadd.s32.s32.s32");
  U2("vadd.u32.u32.s32");
  U2("vadd.s32.s32.s32.sat");
  U2("vsub.s32.s32.s32");
  U2("vsub.s32.u32.u32.sat");
  U2("vabsdiff.s32.s32.s32");
  U2("vabsdiff.u32.u32.u32");
  U2("vmin.s32.s32.s32");
  U2("vmin.u32.u32.u32");
  U2("vmax.s32.s32.s32");
  U2("vmax.u32.u32.u32");
  U2("vshl.u32.u32.u32.clamp");
  U2("vshl.u32.u32.u32.wrap");
  U2("vshr.u32.u32.u32.clamp");
  U2("vshr.s32.s32.u32.wrap");
  U3("vadd.s32.s32.s32.add");
  U3("vsub.s32.s32.s32.add");
  U3("vabsdiff.u32.u32.u32.add");
  U3("vmin.s32.s32.s32.max");
  U3("vmax.s32.s32.s32.min");
  U3("vshr.u32.u32.u32.clamp.add");
  U3("vshl.u32.u32.u32.clamp.add");
  U2("{ .reg .b32 t; vadd.s32.s32.s32 t, %1.b1, %2.h1; mov.b32 %0, t; } //");
  U2("{ .reg .b32 t; vadd.s32.u32.s32 t, %1.b3, %2.b0; mov.b32 %0, t; } //");
  U2("{ .reg .b32 t; vsub.s32.s32.s32 t, %1.h0, %2.b2; mov.b32 %0, t; } //");
  U2("{ .reg .b32 t; vmin.s32.s32.s32 t, %1.h1, %2.h0; mov.b32 %0, t; } //");
  U2("{ .reg .b32 t; vabsdiff.u32.u32.u32 t, %1.b0, %2.b3; mov.b32 %0, t; } //");
  U2("vset.s32.s32.eq");
  U2("vset.s32.s32.ne");
  U2("vset.s32.s32.lt");
  U2("vset.s32.s32.le");
  U2("vset.s32.s32.gt");
  U2("vset.s32.s32.ge");
  U2("vset.u32.u32.eq");
  U2("vset.u32.u32.ne");
  U2("vset.u32.u32.lt");
  U2("vset.u32.u32.le");
  U2("vset.u32.u32.gt");
  U2("vset.u32.u32.ge");
}
