// The upper lanes have left; lane 16 reads lane 17 after that, and stores what it gets.
// launch: kernel=next grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: uninitialised
// where: 10
extern "C" __global__ void next(const unsigned *x, unsigned *y)
{
    unsigned t = threadIdx.x, v = x[t];
    if (t > 16)
        return;
    y[t] = __shfl_down_sync(0xffffffff, v, 1);
}
