// A seq_cst fence lies between the announcement and the look at the other.
// launch: kernel=claim grid=2 block=32 args=wants:u32[2]=0,entered:u32[2]=0
// expect: clean
// final: !(entered[0]==1 && entered[1]==1)
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void claim(unsigned *wants, unsigned *entered)
{
    unsigned me = blockIdx.x, other = 1 - me;
    if (threadIdx.x != 0)
        return;
    Word(wants[me]).store(1, cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    if (Word(wants[other]).load(cuda::memory_order_relaxed) == 0)
        entered[me] = 1;
}
