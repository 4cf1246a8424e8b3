// Each of two blocks announces itself and enters if the other has not. With relaxed accesses both
// may overlook the announcement of the other and enter.
// launch: kernel=claim grid=2 block=32 args=wants:u32[2]=0,entered:u32[2]=0
// expect: stale-value
// accept: assert
// where: 17,18
// final: !(entered[0]==1 && entered[1]==1)
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void claim(unsigned *wants, unsigned *entered)
{
    unsigned me = blockIdx.x, other = 1 - me;
    if (threadIdx.x != 0)
        return;
    Word(wants[me]).store(1, cuda::memory_order_relaxed);
    if (Word(wants[other]).load(cuda::memory_order_relaxed) == 0)
        entered[me] = 1;
}
// run: weak
