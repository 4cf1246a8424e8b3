// The first warp waits, and the block meets behind it.
// launch: kernel=first grid=1 block=64 args=x:u32[64]=0
// launch: kernel=second pdl=1 grid=1 block=64 args=x:u32[64]=0,y:u32[64]=0
// relation: pdl
// expect: clean
// final: y[i]==i+1 for i=0..63
extern "C" __global__ void first(unsigned *x)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    x[threadIdx.x] = threadIdx.x + 1;
}
extern "C" __global__ void second(const unsigned *x, unsigned *y)
{
    if (threadIdx.x < 32)
        asm volatile("griddepcontrol.wait;" ::: "memory");
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x];
}
