// Two threads fill the halves of a counter of 64 bits by plain stores, and all count it up without waiting for them.
// launch: kernel=fill grid=1 block=32 args=counter:u64[1]=0,got:u64[32]=0,half:u32[1]=0
// expect: torn-access
// where: 11,13
#include <cuda/atomic>

extern "C" __global__ void fill(unsigned long long *counter, unsigned long long *got, unsigned *half)
{
    unsigned *halves = reinterpret_cast<unsigned *>(counter);
    if (threadIdx.x < 2)
        halves[threadIdx.x] = threadIdx.x ? 7 : 100;
    if (threadIdx.x < 3)
        got[threadIdx.x] = atomicAdd(counter, 1ull);
    __syncthreads();
    if (threadIdx.x == 5) {
        halves[0] = 50;
        atomicCAS(counter, 7ull << 32 | 50, 7ull << 32);
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> upper(halves[1]);
        half[0] = upper.load(cuda::memory_order_relaxed);
    }
}
