// Two workers have a deque of tasks: the owner takes from the bottom, the thief from the top. The owner takes the last
// one by compare-and-swap on the top, as the thief does.
// launch: kernel=work grid=2 block=1 args=top:u32[1]=0,bottom:u32[1]=1,done:u32[1]=0
// expect: clean
// final: done[0] == 1
#include <cuda/atomic>
using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void work(unsigned *top, unsigned *bottom, unsigned *done)
{
    if (blockIdx.x == 0) {
        unsigned b = Ref(*bottom).load(cuda::memory_order_relaxed) - 1;
        Ref(*bottom).store(b, cuda::memory_order_relaxed);
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        unsigned t = Ref(*top).load(cuda::memory_order_relaxed);
        if (t == b) {
            unsigned expected = t;
            if (Ref(*top).compare_exchange_strong(expected, t + 1, cuda::memory_order_seq_cst))
                atomicAdd(done, 1);
            Ref(*bottom).store(b + 1, cuda::memory_order_relaxed);
        }
    } else {
        unsigned t = Ref(*top).load(cuda::memory_order_acquire);
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        unsigned b = Ref(*bottom).load(cuda::memory_order_acquire);
        if (t < b && Ref(*top).compare_exchange_strong(t, t + 1, cuda::memory_order_seq_cst))
            atomicAdd(done, 1);
    }
}
