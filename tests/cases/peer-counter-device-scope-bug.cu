// Two devices count in one word by atomicAdd(), which is atomic only within each device.
// launch: kernel=report device=0 grid=1 block=32 args=done:u32[1]=0
// launch: kernel=report device=1 grid=1 block=32 args=done:u32[1]=0
// relation: concurrent
// expect: lost-update
// accept: scope-too-narrow
// where: 12,12
// final: done[0]==2
extern "C" __global__ void report(unsigned *done)
{
    if (threadIdx.x == 0)
        atomicAdd(done, 1);
}
