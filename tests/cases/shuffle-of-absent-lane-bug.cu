// Twenty lanes add up their values; the first step reads lanes 20 to 31, which are not there.
// launch: kernel=sum grid=1 block=32 args=x:u32[20]=1,y:u32[1]=0
// expect: uninitialised
// where: 11
extern "C" __global__ void sum(const unsigned *x, unsigned *y)
{
    unsigned t = threadIdx.x;
    if (t < 20) {
        unsigned v = x[t];
        for (unsigned d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(0xfffff, v, d);
        if (t == 0)
            *y = v;
    }
}
