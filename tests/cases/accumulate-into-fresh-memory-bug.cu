// The kernel adds to a buffer that was allocated but never cleared.
// launch: kernel=accumulate grid=1 block=32 args=x:u32[32]=iota,sum:u32[32]=undef
// expect: uninitialised
// where: 8,8
extern "C" __global__ void accumulate(const unsigned *x, unsigned *sum)
{
    unsigned t = threadIdx.x;
    sum[t] += 2 * x[t];
}
