// Each half names itself.
// launch: kernel=any_negative grid=1 block=32 args=x:s32[32]=-1,y:u32[32]=0
// expect: clean
// final: y[i]==1 for i=0..31
extern "C" __global__ void any_negative(const int *x, unsigned *y)
{
    unsigned mask = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
    y[threadIdx.x] = __any_sync(mask, x[threadIdx.x] < 0);
}
