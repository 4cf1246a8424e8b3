// The host takes additions over this link, but no maximum: atomicMax_system() is a load and a store.
// machine: cards-without-peer-atomics.machine
// launch: kernel=publish device=0 grid=1 block=32 args=best:u32[1]=0,score:u32=7
// launch: kernel=publish device=1 grid=1 block=32 args=best:u32[1]=0,score:u32=9
// buffers: best=pinned
// relation: concurrent
// expect: not-atomic-here
// where: 12,12
extern "C" __global__ void publish(unsigned *best, unsigned score)
{
    if (threadIdx.x == 0)
        atomicMax_system(best, score);
}
