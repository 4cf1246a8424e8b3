// The assertion demands that no element is zero, but the first one is.
// launch: kernel=invert grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: assert
// accept: trap
// where: 12,12
// final: y[t]==(t ? 1000/t : 0) for t=0..31
#include <cassert>

extern "C" __global__ void invert(const unsigned *x, unsigned *y)
{
    unsigned v = x[threadIdx.x];
    assert(v != 0);
    y[threadIdx.x] = 1000 / v;
}
