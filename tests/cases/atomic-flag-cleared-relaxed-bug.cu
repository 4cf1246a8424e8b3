// A lock of cuda::atomic_flag is cleared without release.
// launch: kernel=add coop=1 grid=2 block=1 args=lock:u32[1]=0,sum:u32[1]=0
// expect: data-race
// accept: lost-update
// where: 13,13
// final: sum[0]==3
#include <cuda/std/atomic>
#include <cuda/atomic>
extern "C" __global__ void add(cuda::std::atomic_flag *lock, unsigned *sum)
{
    while (lock->test_and_set(cuda::std::memory_order_acquire))
        ;
    *sum += blockIdx.x + 1;
    lock->clear(cuda::std::memory_order_relaxed);
}
