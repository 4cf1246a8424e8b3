// The kernel stores its result.
// launch: kernel=accumulate grid=1 block=32 args=x:u32[32]=iota,sum:u32[32]=undef
// expect: clean
// final: sum[t]==2*t for t=0..31
extern "C" __global__ void accumulate(const unsigned *x, unsigned *sum)
{
    unsigned t = threadIdx.x;
    sum[t] = 2 * x[t];
}
