// The version is stored with release and read with acquire order.
// launch: kernel=config grid=2 block=32 args=value:u32[1]=1,version:u32[1]=1,used:u32[2]=1
// expect: clean
// final: used[1]<=used[0]
#include <cuda/atomic>

using Field = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void config(unsigned *value, unsigned *version, unsigned *used)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        Field(*value).store(2, cuda::memory_order_relaxed);
        Field(*version).store(2, cuda::memory_order_release);
    } else {
        used[1] = Field(*version).load(cuda::memory_order_acquire);
        used[0] = Field(*value).load(cuda::memory_order_relaxed);
    }
}
