// A barrier of four blocks by a counter, but only two fit at a time: those that run wait for those
// that cannot start.
// launch: kernel=meet grid=4 block=32 resident=2 args=count:u32[1]=0,y:u32[4]=0
// expect: deadlock
// where: 12
extern "C" __global__ void meet(unsigned *count, unsigned *y)
{
    if (threadIdx.x != 0)
        return;
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < gridDim.x)
        ;
    __threadfence();
    y[blockIdx.x] = 1;
}
