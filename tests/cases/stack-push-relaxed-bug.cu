// A lock-free stack: the node is filled in and then made the top by a relaxed compare-and-swap,
// so that whoever pops it may find it empty.
// launch: kernel=stack grid=3 block=32 args=top:u32[1]=0,next:u32[3]=0,value:u32[3]=0,taken:u32[1]=70
// expect: release-missing
// where: 16,19,24
// final: taken[0]>=70 && taken[0]<=71
#include <cuda/atomic>

extern "C" __global__ void stack(unsigned *top, unsigned *next, unsigned *value, unsigned *taken)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> head(*top);
    unsigned b = blockIdx.x;
    if (threadIdx.x != 0)
        return;
    if (b < 2) {
        value[b + 1] = 70 + b;
        unsigned old = head.load(cuda::memory_order_relaxed);
        do
            next[b + 1] = old;
        while (!head.compare_exchange_weak(old, b + 1, cuda::memory_order_relaxed));
    } else {
        unsigned node = head.load(cuda::memory_order_acquire);
        if (node)
            taken[0] = value[node];
    }
}
