// M29: the counter lies in pinned host memory, where this machine adds natively from both devices.
// machine: m29-two-cards.machine
// launch: kernel=report device=0 grid=1 block=32 args=done:u32[1]=0
// launch: kernel=report device=1 grid=1 block=32 args=done:u32[1]=0
// buffers: done=pinned
// relation: concurrent
// expect: clean
// final: done[0]==2
extern "C" __global__ void report(unsigned *done)
{
    if (threadIdx.x == 0)
        atomicAdd_system(done, 1);
}
