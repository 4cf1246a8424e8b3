// All lanes take part, and those of the upper half leave after that.
// launch: kernel=next grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: clean
// final: y[t]==t+1 for t=0..16
extern "C" __global__ void next(const unsigned *x, unsigned *y)
{
    unsigned t = threadIdx.x, v = x[t];
    unsigned other = __shfl_down_sync(0xffffffff, v, 1);
    if (t > 16)
        return;
    y[t] = other;
}
