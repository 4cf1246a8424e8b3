// The blocks number themselves by a counter when they start, so that whoever is waited for has
// started.
// launch: kernel=chain grid=2 block=32 resident=1 args=ticket:u32[1]=0,sum:u32[2]=0,done:u32[2]=0
// expect: clean
// final: sum[0]==1 && sum[1]==2
#include <cuda/atomic>

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void chain(unsigned *ticket, unsigned *sum, unsigned *done)
{
    if (threadIdx.x != 0)
        return;
    unsigned part = atomicAdd(ticket, 1), before = 0;
    if (part > 0) {
        while (Flag(done[part - 1]).load(cuda::memory_order_acquire) == 0)
            ;
        before = sum[part - 1];
    }
    sum[part] = before + 1;
    Flag(done[part]).store(1, cuda::memory_order_release);
}
