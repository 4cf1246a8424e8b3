// The flag stays up until it has been seen.
// launch: kernel=signal grid=2 block=32 args=flag:u32[1]=0,seen:u32[1]=0
// expect: clean
// final: flag[0]==0
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void signal(unsigned *flag, unsigned *seen)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        while (Word(*flag).load(cuda::memory_order_acquire) != 1)
            ;
        Word(*seen).store(1, cuda::memory_order_release);
        return;
    }
    Word(*flag).store(1, cuda::memory_order_release);
    while (Word(*seen).load(cuda::memory_order_acquire) != 1)
        ;
    Word(*flag).store(0, cuda::memory_order_release);
}
