// It waits for the others only, and writes nothing before they are there.
// launch: kernel=gather grid=2 block=32 args=arrived:u32[1]=0,beats:u32[1]=0
// expect: clean
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void gather(unsigned *arrived, unsigned *beats)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x != 0) {
        Word(*arrived).fetch_add(1, cuda::memory_order_release);
        return;
    }
    while (Word(*arrived).load(cuda::memory_order_acquire) != gridDim.x - 1)
        ;
    Word(*beats).fetch_add(1, cuda::memory_order_relaxed);
}
