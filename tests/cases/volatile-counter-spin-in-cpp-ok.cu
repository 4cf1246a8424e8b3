// The counter is read by an atomic load.
// launch: kernel=wait_for_other grid=2 block=32 coop=1 args=count:u32[1]=0,data:u32[1]=0,copy:u32[1]=0
// level: cuda
// expect: clean
// final: copy[0]==2
#include <cuda/atomic>

extern "C" __global__ void wait_for_other(unsigned *count, unsigned *data, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*count);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 2;
        __threadfence();
        atomicAdd(count, 1);
    } else {
        while (counter.load(cuda::memory_order_relaxed) == 0)
            ;
        __threadfence();
        copy[0] = data[0];
    }
}
