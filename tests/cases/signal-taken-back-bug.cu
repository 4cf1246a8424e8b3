// The second block raises a flag and lowers it again until the first has seen it, which may always look too late.
// launch: kernel=signal grid=2 block=32 args=flag:u32[1]=0,seen:u32[1]=0
// expect: livelock
// where: 14
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
    while (Word(*seen).load(cuda::memory_order_acquire) != 1) {
        Word(*flag).store(1, cuda::memory_order_release);
        Word(*flag).store(0, cuda::memory_order_release);
    }
}
// run: no, a run looks in time sooner or later
