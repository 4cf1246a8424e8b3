// Who does not get the lock in so many tries leaves the counter alone.
// launch: kernel=count_up grid=2 block=1 args=lock:u32[1]=0,count:u32[1]=0,missed:u32[1]=0
// expect: clean
// final: count[0] + missed[0] == 2
#include <cuda/atomic>

extern "C" __global__ void count_up(unsigned *lock, unsigned *count, unsigned *missed)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> taken(*lock);
    int tries;
    for (tries = 500; tries > 0; tries--) {
        unsigned free = 0;
        if (taken.compare_exchange_strong(free, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed))
            break;
        __nanosleep(50);
    }
    if (tries == 0) {
        atomicAdd(missed, 1);
        return;
    }
    *count += 1;
    taken.store(0, cuda::memory_order_release);
}
