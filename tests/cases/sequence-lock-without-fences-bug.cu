// A reader checks that the version was even and the same before and after, but nothing orders its
// reads of the two fields between the two checks.
// launch: kernel=sequence grid=2 block=32 args=version:u32[1]=0,field:u32[2]=0
// expect: stale-value
// accept: trap
// where: 19,20,24,25,26
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
        a.store(5, cuda::memory_order_relaxed);
        b.store(5, cuda::memory_order_relaxed);
        v.store(2, cuda::memory_order_relaxed);
    } else {
        unsigned first = v.load(cuda::memory_order_relaxed);
        unsigned x = a.load(cuda::memory_order_relaxed);
        unsigned y = b.load(cuda::memory_order_relaxed);
        unsigned second = v.load(cuda::memory_order_relaxed);
        if (first == second && first % 2 == 0 && x != y)
            __trap();
    }
}
// run: weak
