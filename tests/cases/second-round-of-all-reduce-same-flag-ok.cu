// Each round waits for its own number.
// launch: kernel=exchange device=0 grid=1 block=32 args=mine=A:u32[64]=0,peer=B:u32[64]=0,raise=FB:u32[1]=0,seen=FA:u32[1]=0,out=X:u32[64]=0
// launch: kernel=exchange device=1 grid=1 block=32 args=mine=B:u32[64]=0,peer=A:u32[64]=0,raise=FA:u32[1]=0,seen=FB:u32[1]=0,out=Y:u32[64]=0
// relation: concurrent
// expect: clean
// final: X[32+t]==2 && Y[32+t]==2 for t=0..31
#include <cuda/atomic>
extern "C" __global__ void exchange(unsigned *mine, unsigned *peer, unsigned *raise, unsigned *seen, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> bell(*raise), inbox(*seen);
    unsigned t = threadIdx.x;
    for (unsigned round = 1; round <= 2; round++) {
        peer[32 * (round - 1) + t] = round;
        __syncthreads();
        if (t == 0) {
            bell.store(round, cuda::memory_order_release);
            while (inbox.load(cuda::memory_order_acquire) < round)
                ;
        }
        __syncthreads();
        out[32 * (round - 1) + t] = mine[32 * (round - 1) + t];
    }
}
