// Video instructions on two halves and four bytes.
// launch: kernel=video_lanes grid=1 block=256 args=values:u32[16]={0,1,2,3,5,31,32,33,255,256,0x7fff,0x8000,0xffff,0x7fffffff,0x80000000,0xffffffff},out:u32[9216]=0
#include "operations.h"

extern "C" __global__ void video_lanes(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  U3("vadd2.s32.s32.s32");
  U3("vadd2.u32.u32.u32");
  U3("vsub2.s32.s32.s32");
  U3("vsub2.u32.u32.u32");
  U3("vavrg2.s32.s32.s32");
  U3("vavrg2.u32.u32.u32");
  U3("vabsdiff2.s32.s32.s32");
  U3("vabsdiff2.u32.u32.u32");
  U3("vmin2.s32.s32.s32");
  U3("vmin2.u32.u32.u32");
  U3("vmax2.s32.s32.s32");
  U3("vmax2.u32.u32.u32");
  U3("vadd4.s32.s32.s32");
  U3("vadd4.u32.u32.u32");
  U3("vsub4.s32.s32.s32");
  U3("vsub4.u32.u32.u32");
  U3("vavrg4.s32.s32.s32");
  U3("vavrg4.u32.u32.u32");
  U3("vabsdiff4.s32.s32.s32");
  U3("vabsdiff4.u32.u32.u32");
  U3("vmin4.s32.s32.s32");
  U3("vmin4.u32.u32.u32");
  U3("vmax4.s32.s32.s32");
  U3("vmax4.u32.u32.u32");
  U3("vadd2.s32.s32.s32.sat");
  U3("vsub2.u32.u32.u32.sat");
  U3("vadd4.s32.s32.s32.sat");
  U3("vsub4.u32.u32.u32.sat");
  U3("vabsdiff2.u32.u32.u32.add");
  U3("vabsdiff4.u32.u32.u32.add");
  U3("vadd2.s32.s32.s32.add");
  U3("vset2.u32.u32.lt");
  U3("vset2.s32.s32.ge");
  U3("vset4.u32.u32.lt");
  U3("vset4.s32.s32.eq");
  U3("vset4.u32.u32.ne.add");
}
