// M5: a scope says between which threads an operation is atomic and orders, not where the data
// lies. Here data and flag lie in global memory, which all blocks can reach, but only the threads
// of one block use them. Block scope, the cheapest, is enough.
// launch: kernel=relay grid=1 block=64 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=5
// expect: clean
// final: copy[0]==5
#include <cuda/atomic>

extern "C" __global__ void relay(unsigned *data, unsigned *flag, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> ready(*flag);
    if (threadIdx.x == 0) {
        data[0] = 5;
        ready.store(1, cuda::memory_order_release);
    }
    if (threadIdx.x == 32 && ready.load(cuda::memory_order_acquire) == 1)
        copy[0] = data[0];
}
