// Kernels in two domains count with device scope, which is not atomic between domains.
// launch: kernel=count stream=1 domain=0 grid=1 block=32 args=done:u32[1]=0
// launch: kernel=count stream=2 domain=2 grid=1 block=32 args=done:u32[1]=0
// relation: concurrent
// expect: scope-too-narrow
// where: 10
extern "C" __global__ void count(unsigned *done)
{
    if (threadIdx.x == 0)
        atomicAdd(done, 1);
}
