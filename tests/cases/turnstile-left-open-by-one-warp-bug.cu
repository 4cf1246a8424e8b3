// Split-K in turns: block k waits until the semaphore shows k, adds its part to the output, and lets the next one in.
// The next one is let in by the first warp when it is done itself.
// launch: kernel=gemm_splitk grid=3 block=64 coop=1 args=turn:u32[1]=0,y:u32[64]=0
// expect: data-race
// accept: lost-update
// where: 18
// final: y[i] == 3*i + 3 for i=0..63
#include <cuda/atomic>

extern "C" __global__ void gemm_splitk(unsigned *turn, unsigned *y)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> semaphore(*turn);
    unsigned t = threadIdx.x;
    if (t == 0)
        while (semaphore.load(cuda::memory_order_acquire) != blockIdx.x)
            ;
    __syncthreads();
    y[t] = y[t] + t + blockIdx.x;
    __syncwarp();
    if (t == 0)
        semaphore.store(blockIdx.x + 1, cuda::memory_order_release);
}
