// A nap in the loop keeps today's compiler from lifting the plain load out of it, but the load
// stays plain: nothing makes it see the new value.
// launch: kernel=nap grid=2 block=32 coop=1 args=ready:u32[1]=0,woken:u32[1]=0
// expect: hoistable-poll
// accept: plain-flag,livelock
// where: 13,15
// final: woken[0]==1
extern "C" __global__ void nap(unsigned *ready, unsigned *woken)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        atomicExch(ready, 1);
    } else {
        while (ready[0] == 0)
            __nanosleep(100);
        woken[0] = 1;
    }
}
