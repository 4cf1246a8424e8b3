// The kernel waits first; then the read-only path is right.
// launch: kernel=first grid=1 block=32 args=x:u32[32]=0
// launch: kernel=second pdl=1 grid=1 block=32 args=x:u32[32]=0,y:u32[32]=0
// relation: pdl
// expect: clean
// final: y[t]==t+1 for t=0..31
extern "C" __global__ void first(unsigned *x)
{
    x[threadIdx.x] = threadIdx.x + 1;
    __threadfence();
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
extern "C" __global__ void second(const unsigned *x, unsigned *y)
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
    unsigned v = __ldg(x + threadIdx.x);
    y[threadIdx.x] = v;
}
