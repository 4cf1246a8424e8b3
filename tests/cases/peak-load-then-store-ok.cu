// A loop of compare-and-swap repeats when the peak has changed between.
// launch: kernel=peak grid=2 block=32 args=top:u32[1]=0
// expect: clean
// final: top[0]==6
#include <cuda/atomic>

extern "C" __global__ void peak(unsigned *top)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> highest(*top);
    unsigned mine = 5 + blockIdx.x;
    if (threadIdx.x != 0)
        return;
    unsigned seen = highest.load(cuda::memory_order_relaxed);
    while (seen < mine && !highest.compare_exchange_strong(seen, mine, cuda::memory_order_relaxed))
        ;
}
