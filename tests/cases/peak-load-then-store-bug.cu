// The peak is read and, if it is lower, stored by two atomic operations; a higher peak that
// another block stores between them is lost.
// launch: kernel=peak grid=2 block=32 args=top:u32[1]=0
// expect: lost-update
// accept: assert
// where: 16,18
// final: top[0]==6
#include <cuda/atomic>

extern "C" __global__ void peak(unsigned *top)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> highest(*top);
    unsigned mine = 5 + blockIdx.x;
    if (threadIdx.x != 0)
        return;
    unsigned seen = highest.load(cuda::memory_order_relaxed);
    if (seen < mine)
        highest.store(mine, cuda::memory_order_relaxed);
}
