// The flag is an atomic.
// launch: kernel=forward grid=2 block=32 args=item:u32[1]=0,flag:u32[1]=0,copy:u32[1]=4
// level: cuda
// expect: clean
// final: copy[0]==4
#include <cuda/atomic>

extern "C" __global__ void forward(unsigned *item, unsigned *flag, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> full(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        item[0] = 4;
        __threadfence();
        full.store(1, cuda::memory_order_relaxed);
    } else if (full.load(cuda::memory_order_relaxed)) {
        __threadfence();
        copy[0] = item[0];
    }
}
