// A leader polls a plain word. The compiler may read it once, before the loop, and then never
// again.
// launch: kernel=await grid=2 block=32 coop=1 args=go:u32[1]=0,seen:u32[1]=0
// expect: hoistable-poll
// accept: plain-flag,deadlock,livelock
// where: 16,18
// final: seen[0]==1
#include <cuda/atomic>

extern "C" __global__ void await(unsigned *go, unsigned *seen)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(*go);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        flag.store(1, cuda::memory_order_release);
    } else {
        while (go[0] == 0)
            ;
        seen[0] = 1;
    }
}
