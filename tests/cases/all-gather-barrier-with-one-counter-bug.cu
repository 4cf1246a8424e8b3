// Two devices read each other's buffers. Each raises a flag at its peer and waits for its own. The flags count rounds
// of reading, but nothing waits before the buffer is written again.
// launch: kernel=exchange device=0 grid=1 block=32 args=mine=A:u32[32]=0,theirs=B:u32[32]=0,own=FA:u32[1]=0,peer=FB:u32[1]=0,rank:u32=0,y=Y0:u32[64]=0
// launch: kernel=exchange device=1 grid=1 block=32 args=mine=B:u32[32]=0,theirs=A:u32[32]=0,own=FB:u32[1]=0,peer=FA:u32[1]=0,rank:u32=1,y=Y1:u32[64]=0
// relation: concurrent
// expect: data-race
// where: 27,29
// final: Y0[32*r+i] == 1000*r + 132 + i && Y1[32*r+i] == 1000*r + 100 + i for i=0..31, r=0..1
#include <cuda/atomic>
using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

__device__ void meet(unsigned *own, unsigned *peer, unsigned round)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        Ref(*peer).store(round, cuda::memory_order_release);
        while (Ref(*own).load(cuda::memory_order_acquire) < round)
            ;
    }
    __syncthreads();
}

extern "C" __global__ void exchange(unsigned *mine, const unsigned *theirs, unsigned *own, unsigned *peer, unsigned rank, unsigned *y)
{
    unsigned t = threadIdx.x, phase = 0;
    for (unsigned r = 0; r < 2; r++) {
        mine[t] = 1000 * r + 100 + 32 * rank + t;
        meet(own, peer, ++phase);
        y[32 * r + t] = ((volatile const unsigned *)theirs)[t];
    }
}
