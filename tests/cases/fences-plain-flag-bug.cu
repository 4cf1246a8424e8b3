// Release and acquire fences stand where they should, but the flag between them is written and
// read by plain accesses, and a fence orders nothing without an atomic flag.
// launch: kernel=publish grid=2 block=32 args=result:u32[1]=0,ready:u32[1]=0,copy:u32[1]=9
// expect: fence-without-flag
// accept: plain-flag
// where: 15,17,18,20
// final: copy[0]==9
#include <cuda/atomic>

extern "C" __global__ void publish(unsigned *result, unsigned *ready, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        result[0] = 9;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        ready[0] = 1;
    } else if (ready[0] == 1) {
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        copy[0] = result[0];
    }
}
