// Each block takes its own lock, tries the other's, and lets go again if that fails. In step, they do so for ever.
// launch: kernel=transfer grid=2 block=32 args=locks:u32[2]=0,moved:u32[1]=0
// expect: livelock
// where: 18
#include <cuda/atomic>

using Lock = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void transfer(unsigned *locks, unsigned *moved)
{
    unsigned *mine = &locks[blockIdx.x], *other = &locks[1 - blockIdx.x];
    if (threadIdx.x != 0)
        return;
    for (;;) {
        while (atomicCAS(mine, 0, 1) != 0)
            ;
        __threadfence();
        if (atomicCAS(other, 0, 1) == 0)
            break;
        Lock(*mine).store(0, cuda::memory_order_release);
    }
    __threadfence();
    *moved += 1;
    Lock(*other).store(0, cuda::memory_order_release);
    Lock(*mine).store(0, cuda::memory_order_release);
}
// run: no, a run seldom keeps its threads in step
