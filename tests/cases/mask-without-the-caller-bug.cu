// All lanes vote, but the mask names those of the lower half only.
// launch: kernel=any_negative grid=1 block=32 args=x:s32[32]=-1,y:u32[32]=0
// expect: barrier-mismatch
// accept: barrier-divergence,deadlock
// where: 8
extern "C" __global__ void any_negative(const int *x, unsigned *y)
{
    y[threadIdx.x] = __any_sync(0x0000ffffu, x[threadIdx.x] < 0);
}
