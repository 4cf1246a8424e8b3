// The owner of a tile waits for one of its two helpers and takes the parts of both.
// launch: kernel=stream_k coop=1 grid=3 block=32 args=part:u32[64]=0,arrived:u32[1]=0,c:u32[32]=0
// expect: data-race
// where: 12,23
// final: c[t]==6*t for t=0..31
#include <cuda/atomic>
extern "C" __global__ void stream_k(unsigned *part, unsigned *arrived, unsigned *c)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*arrived);
    unsigned t = threadIdx.x, peers = gridDim.x - 1, mine = t * (blockIdx.x + 1);
    if (blockIdx.x < peers) {
        part[32 * blockIdx.x + t] = mine;
        __syncthreads();
        if (t == 0)
            count.fetch_add(1, cuda::memory_order_release);
        return;
    }
    if (t == 0)
        while (count.load(cuda::memory_order_acquire) < peers - 1)
            ;
    __syncthreads();
    for (unsigned p = 0; p < peers; p++)
        mine += part[32 * p + t];
    c[t] = mine;
}
