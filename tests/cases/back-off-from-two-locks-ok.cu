// All blocks take the locks in one order, so that nobody has to let go of one.
// launch: kernel=transfer grid=2 block=32 args=locks:u32[2]=0,moved:u32[1]=0
// expect: clean
// final: moved[0]==2
#include <cuda/atomic>

using Lock = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void transfer(unsigned *locks, unsigned *moved)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(&locks[0], 0, 1) != 0)
        ;
    while (atomicCAS(&locks[1], 0, 1) != 0)
        ;
    __threadfence();
    *moved += 1;
    Lock(locks[1]).store(0, cuda::memory_order_release);
    Lock(locks[0]).store(0, cuda::memory_order_release);
}
