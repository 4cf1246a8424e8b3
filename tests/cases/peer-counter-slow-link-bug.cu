// Both devices count with system scope, in memory of device 0, over a link without native atomics:
// device 1 reads, adds and writes, and a count may be lost.
// machine: cards-without-peer-atomics.machine
// launch: kernel=report device=0 grid=1 block=32 args=done:u32[1]=0
// launch: kernel=report device=1 grid=1 block=32 args=done:u32[1]=0
// relation: concurrent
// expect: not-atomic-here
// where: 12,12
extern "C" __global__ void report(unsigned *done)
{
    if (threadIdx.x == 0)
        atomicAdd_system(done, 1);
}
