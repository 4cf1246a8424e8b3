// An acquire load before and an acquire fence behind the fields keep them between the checks; the
// writer has a release fence behind its first and a release store for its second change of the
// version.
// launch: kernel=sequence grid=2 block=32 args=version:u32[1]=0,field:u32[2]=0
// expect: clean
// final: field[0]==5 && field[1]==5
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void sequence(unsigned *version, unsigned *field)
{
    Word v(*version), a(field[0]), b(field[1]);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        v.store(1, cuda::memory_order_relaxed);
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        a.store(5, cuda::memory_order_relaxed);
        b.store(5, cuda::memory_order_relaxed);
        v.store(2, cuda::memory_order_release);
    } else {
        unsigned first = v.load(cuda::memory_order_acquire);
        unsigned x = a.load(cuda::memory_order_relaxed);
        unsigned y = b.load(cuda::memory_order_relaxed);
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        unsigned second = v.load(cuda::memory_order_relaxed);
        if (first == second && first % 2 == 0 && x != y)
            __trap();
    }
}
