// The third comer finds nothing and returns without unlocking; whoever comes behind it waits for
// ever.
// launch: kernel=reserve grid=3 block=1 args=lock:u32[1]=0,free:u32[1]=2,got:u32[3]=0
// expect: deadlock
// where: 13
// final: free[0]==0
#include <cuda/atomic>
using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ bool take(unsigned *lock, unsigned *free)
{
    Word l(*lock);
    while (l.exchange(1, cuda::memory_order_acquire) != 0)
        __nanosleep(20);
    if (*free <= 1) {
        return false;
    }
    *free -= 1;
    l.store(0, cuda::memory_order_release);
    return true;
}

extern "C" __global__ void reserve(unsigned *lock, unsigned *free, unsigned *got)
{
    got[blockIdx.x] = take(lock, free);
}
