// In one domain device scope is enough.
// launch: kernel=count stream=1 domain=2 grid=1 block=32 args=done:u32[1]=0
// launch: kernel=count stream=2 domain=2 grid=1 block=32 args=done:u32[1]=0
// relation: concurrent
// expect: clean
// final: done[0]==2
extern "C" __global__ void count(unsigned *done)
{
    if (threadIdx.x == 0)
        atomicAdd(done, 1);
}
