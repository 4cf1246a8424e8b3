// A ring all-gather over three devices: each one hands the chunk that it got to the next one, and counts it there.
// The chunk that comes from the device before is passed on once it has been acquired.
// launch: kernel=step device=0 grid=1 block=32 args=mine=A:u32[96]=0,next=B:u32[96]=0,got=FA:u32[1]=0,tell=FB:u32[1]=0,rank:u32=0
// launch: kernel=step device=1 grid=1 block=32 args=mine=B:u32[96]=0,next=C:u32[96]=0,got=FB:u32[1]=0,tell=FC:u32[1]=0,rank:u32=1
// launch: kernel=step device=2 grid=1 block=32 args=mine=C:u32[96]=0,next=A:u32[96]=0,got=FC:u32[1]=0,tell=FA:u32[1]=0,rank:u32=2
// relation: concurrent
// expect: clean
// final: A[i] == i + 100 && B[i] == i + 100 && C[i] == i + 100 for i=0..95
#include <cuda/atomic>

extern "C" __global__ void step(unsigned *mine, unsigned *next, unsigned *got, unsigned *tell, unsigned rank)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> inbox(*got), outbox(*tell);
    unsigned t = threadIdx.x, chunk = rank;
    mine[32 * chunk + t] = 100 + 32 * chunk + t;
    for (unsigned round = 1; round <= 2; round++) {
        next[32 * chunk + t] = mine[32 * chunk + t];
        __syncthreads();
        if (t == 0) {
            outbox.fetch_add(1, cuda::memory_order_release);
            while (inbox.load(cuda::memory_order_acquire) < round)
                ;
        }
        __syncthreads();
        chunk = (chunk + 2) % 3;
    }
}
