// The host polls a word in pinned memory that a kernel sets when its results are there.
// The kernel's fence is one of the system.
// launch: kernel=host_side device=host grid=1 block=1 args=results=R:u32[32]=0,done=D:u32[1]=0,copy:u32[32]=0
// launch: kernel=work device=0 grid=1 block=32 args=results=R:u32[32]=0,done=D:u32[1]=0
// relation: concurrent
// expect: clean
// final: copy[i] == i*i for i=0..31
#include <cuda/atomic>

extern "C" __global__ void host_side(const unsigned *results, unsigned *done, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> flag(*done);
    while (!flag.load(cuda::memory_order_acquire))
        ;
    for (int i = 0; i < 32; i++)
        copy[i] = results[i];
}

extern "C" __global__ void work(unsigned *results, unsigned *done)
{
    results[threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        *(volatile unsigned *)done = 1;
    }
}
