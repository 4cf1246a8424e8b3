// M14: a fence orders the accesses of its own thread and waits for nobody; it helps only if an
// atomic write behind it is read by an atomic read, with a fence behind that, in the other
// thread. Here the fences are there, but the flag between them is a plain word. The fences order
// nothing, and the plain poll need not ever see the flag.
// launch: kernel=hand_over grid=2 block=32 coop=1 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=0
// expect: fence-without-flag
// accept: plain-flag,hoistable-poll
// where: 17,19,21,24
// final: copy[0]==14
#include <cuda/atomic>

extern "C" __global__ void hand_over(unsigned *data, unsigned *flag, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 14;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        flag[0] = 1;
    } else {
        while (flag[0] == 0)
            __nanosleep(20);
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        copy[0] = data[0];
    }
}
