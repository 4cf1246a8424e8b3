// The first kernel lets the second one start early, behind a fence. One thread speaks for its block, behind its barrier.
// launch: kernel=first grid=2 block=32 args=x=X:u32[64]=0
// launch: kernel=second grid=2 block=32 pdl=1 args=x=X:u32[64]=0,y:u32[64]=0
// relation: pdl
// expect: clean
// final: y[i] == 64 - i for i=0..63
extern "C" __global__ void first(unsigned *x)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    }
}

extern "C" __global__ void second(const unsigned *x, unsigned *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = *(volatile const unsigned *)(x + 63 - i);
}
