// Zero is allowed for.
// launch: kernel=invert grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: clean
// final: y[t]==(t ? 1000/t : 0) for t=0..31
#include <cassert>

extern "C" __global__ void invert(const unsigned *x, unsigned *y)
{
    unsigned v = x[threadIdx.x];
    assert(v < 32);
    y[threadIdx.x] = v ? 1000 / v : 0;
}
