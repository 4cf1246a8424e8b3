// A reader takes a value and then its version, both by relaxed atomics, and trusts that a new
// version means a new value, which the relaxed order does not promise.
// launch: kernel=config grid=2 block=32 args=value:u32[1]=1,version:u32[1]=1,used:u32[2]=1
// expect: stale-value
// accept: assert
// where: 17,21
// final: used[1]<=used[0]
#include <cuda/atomic>

using Field = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void config(unsigned *value, unsigned *version, unsigned *used)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        Field(*value).store(2, cuda::memory_order_relaxed);
        Field(*version).store(2, cuda::memory_order_relaxed);
    } else {
        used[1] = Field(*version).load(cuda::memory_order_relaxed);
        used[0] = Field(*value).load(cuda::memory_order_relaxed);
    }
}
// run: weak
