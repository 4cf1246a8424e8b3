// A dependent kernel loads its input through the read-only path before it waits for the kernel before.
// launch: kernel=first grid=1 block=32 args=x:u32[32]=0
// launch: kernel=second pdl=1 grid=1 block=32 args=x:u32[32]=0,y:u32[32]=0
// relation: pdl
// expect: data-race
// accept: nc-load-of-written-data
// where: 11,17
// final: y[t]==t+1 for t=0..31
extern "C" __global__ void first(unsigned *x)
{
    x[threadIdx.x] = threadIdx.x + 1;
    __threadfence();
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
extern "C" __global__ void second(const unsigned *x, unsigned *y)
{
    unsigned v = __ldg(x + threadIdx.x);
    asm volatile("griddepcontrol.wait;" ::: "memory");
    y[threadIdx.x] = v;
}
