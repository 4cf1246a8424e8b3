// The flag between the fences is atomic.
// launch: kernel=publish grid=2 block=32 args=result:u32[1]=0,ready:u32[1]=0,copy:u32[1]=9
// expect: clean
// final: copy[0]==9
#include <cuda/atomic>

extern "C" __global__ void publish(unsigned *result, unsigned *ready, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(*ready);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        result[0] = 9;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        flag.store(1, cuda::memory_order_relaxed);
    } else if (flag.load(cuda::memory_order_relaxed) == 1) {
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        copy[0] = result[0];
    }
}
