// M24: two accesses to one location, at least one of them a write, race unless they are ordered
// or both are atomic, each at a scope that includes the other's thread. Here one block counts and
// the other looks, both by atomic operations of device scope. Nothing orders them, and nothing
// has to.
// launch: kernel=watch grid=2 block=32 args=counter:u32[1]=0,seen:u32[1]=0
// expect: clean
// final: seen[0]<=1
#include <cuda/atomic>

extern "C" __global__ void watch(unsigned *counter, unsigned *seen)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0)
        atomicAdd(counter, 1);
    else
        seen[0] = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*counter).load(cuda::memory_order_relaxed);
}
