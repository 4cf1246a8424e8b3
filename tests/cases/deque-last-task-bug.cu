// A work-stealing queue with one task: the owner lowers the bottom and then looks at the top, the
// thief raises the top and then looks at the bottom. With acquire and release only, both may take
// the task.
// launch: kernel=work grid=2 block=32 args=top:u32[1]=0,bottom:u32[1]=1,runs:u32[2]=0
// expect: stale-value
// accept: assert
// where: 19,20,23,24
// final: runs[0]+runs[1]<2
#include <cuda/atomic>

using Index = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void work(unsigned *top, unsigned *bottom, unsigned *runs)
{
    Index head(*top), tail(*bottom);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        tail.store(0, cuda::memory_order_release);
        if (head.load(cuda::memory_order_acquire) == 0)
            runs[0] = 1;
    } else {
        head.store(1, cuda::memory_order_release);
        if (tail.load(cuda::memory_order_acquire) == 1)
            runs[1] = 1;
    }
}
// run: weak
