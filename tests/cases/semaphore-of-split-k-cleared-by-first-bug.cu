// Blocks of a split-K product take turns by a semaphore; the first instead of the last one sets it back.
// launch: kernel=split coop=1 grid=3 block=32 args=c:u32[32]=0,turn:u32[1]=0
// expect: data-race
// accept: deadlock,lost-update
// where: 13,22
// final: c[t]==6 && turn[0]==0 for t=0..31
#include <cuda/atomic>
extern "C" __global__ void split(unsigned *c, unsigned *turn)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> sem(*turn);
    unsigned t = threadIdx.x;
    if (t == 0)
        while (sem.load(cuda::memory_order_acquire) != blockIdx.x)
            ;
    __syncthreads();
    c[t] += blockIdx.x + 1;
    __syncthreads();
    if (t == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            sem.store(blockIdx.x + 1, cuda::memory_order_release);
        if (blockIdx.x == 0)
            *turn = 0;
    }
}
