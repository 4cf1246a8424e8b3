// M29: an atomic of system scope is atomic only where the machine can make it so. The counter lies
// in the memory of device 0; the link between the devices has no atomics of its own, so that device
// 1 reads, adds and writes, and a count may be lost.
// machine: m29-two-cards.machine
// launch: kernel=report device=0 grid=1 block=32 args=done:u32[1]=0
// launch: kernel=report device=1 grid=1 block=32 args=done:u32[1]=0
// buffers: done=device:0
// relation: concurrent
// expect: not-atomic-here
// where: 14
extern "C" __global__ void report(unsigned *done)
{
    if (threadIdx.x == 0)
        atomicAdd_system(done, 1);
}
