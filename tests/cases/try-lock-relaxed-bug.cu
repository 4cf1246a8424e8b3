// Try_lock takes the lock by a relaxed compare-and-swap.
// launch: kernel=add_once grid=2 block=1 args=lock:u32[1]=0,sum:f32[1]=0,missed:u32[1]=0
// expect: acquire-missing
// where: 21
// final: sum[0]+missed[0]==2
#include <cuda/atomic>
struct SpinLock {
    cuda::atomic<unsigned, cuda::thread_scope_device> word;
    __device__ bool try_lock()
    {
        unsigned open = 0;
        return word.compare_exchange_strong(open, 1, cuda::memory_order_relaxed);
    }
    __device__ void unlock() { word.store(0, cuda::memory_order_release); }
};

extern "C" __global__ void add_once(SpinLock *lock, float *sum, unsigned *missed)
{
    for (int tries = 0; tries < 3; tries++)
        if (lock->try_lock()) {
            *sum += 1.0f;
            lock->unlock();
            return;
        }
    atomicAdd(missed, 1u);
}
