// The load is volatile.
// launch: kernel=nap grid=2 block=32 coop=1 args=ready:u32[1]=0,woken:u32[1]=0
// expect: clean
// final: woken[0]==1
extern "C" __global__ void nap(volatile unsigned *ready, unsigned *woken)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        atomicExch((unsigned *)ready, 1);
    } else {
        while (ready[0] == 0)
            __nanosleep(100);
        woken[0] = 1;
    }
}
