// The first block counts its rounds in memory while it waits for two arrivals. Only one other block arrives.
// launch: kernel=gather grid=2 block=32 args=arrived:u32[1]=0,beats:u32[1]=0
// expect: livelock
// where: 17
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
    while (Word(*arrived).load(cuda::memory_order_acquire) != gridDim.x)
        Word(*beats).fetch_add(1, cuda::memory_order_relaxed);
}
// run: no, a run of it does not end
