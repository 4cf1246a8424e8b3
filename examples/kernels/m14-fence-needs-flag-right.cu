// M14: a fence orders the accesses of its own thread and waits for nobody; it helps only if an
// atomic write behind it is read by an atomic read, with a fence behind that, in the other
// thread. Here the flag between the fences is atomic; relaxed order is enough for it. Whoever
// sees the flag sees what was written before the fence.
// launch: kernel=hand_over grid=2 block=32 coop=1 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=0
// expect: clean
// final: copy[0]==14
#include <cuda/atomic>

extern "C" __global__ void hand_over(unsigned *data, unsigned *flag, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 14;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0)
            __nanosleep(20);
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        copy[0] = data[0];
    }
}
