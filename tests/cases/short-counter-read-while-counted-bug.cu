// Shorts are counted by atomics and read by a plain load meanwhile.
// launch: kernel=count coop=1 grid=3 block=1 args=n:u16[2]=0,out:u32[1]=0
// expect: data-race
// accept: torn-access
// where: 12,14
// final: out[0]<=2 && n[0]==2
#include <cuda/atomic>
extern "C" __global__ void count(unsigned short *n, unsigned *out)
{
    cuda::atomic_ref<unsigned short, cuda::thread_scope_device> counter(*n);
    if (blockIdx.x < 2)
        counter.fetch_add(1, cuda::memory_order_relaxed);
    else
        *out = *n;
}
