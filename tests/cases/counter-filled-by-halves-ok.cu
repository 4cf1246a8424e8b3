// Two threads fill the halves of a counter of 64 bits by plain stores; behind the barrier all count it up, and one takes
// it back by a compare-and-exchange. A load of one half sees what the whole was.
// launch: kernel=fill grid=1 block=32 args=counter:u64[1]=0,got:u64[32]=0,half:u32[1]=0
// expect: clean
// final: counter[0] == 30064771072 && half[0] == 7
#include <cuda/atomic>

extern "C" __global__ void fill(unsigned long long *counter, unsigned long long *got, unsigned *half)
{
    unsigned *halves = reinterpret_cast<unsigned *>(counter);
    if (threadIdx.x < 2)
        halves[threadIdx.x] = threadIdx.x ? 7 : 100;
    __syncthreads();
    if (threadIdx.x < 3)
        got[threadIdx.x] = atomicAdd(counter, 1ull);
    __syncthreads();
    if (threadIdx.x == 5) {
        halves[0] = 50;
        if (atomicCAS(counter, 7ull << 32 | 50, 7ull << 32) != (7ull << 32 | 50))
            __trap();
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> upper(halves[1]);
        half[0] = upper.load(cuda::memory_order_relaxed);
    }
}
