// Each block tells its partner on the other GPU by a flag of device scope.
// launch: kernel=ar device=0 grid=2 block=32 args=mine=A:u32[64]=1,peer=B:u32[64]=2,fmine=FA:u32[2]=0,fpeer=FB:u32[2]=0,out=OA:u32[64]=0
// launch: kernel=ar device=1 grid=2 block=32 args=mine=B:u32[64]=2,peer=A:u32[64]=1,fmine=FB:u32[2]=0,fpeer=FA:u32[2]=0,out=OB:u32[64]=0
// relation: concurrent
// expect: clean
// final: OA[i] == 33 for i=0..63
#include <cuda/atomic>
 #define SCOPE cuda::thread_scope_system
extern "C" __global__ void ar(unsigned *mine, const unsigned *peer, unsigned *fmine, unsigned *fpeer, unsigned *out)
{
    unsigned b = blockIdx.x, i = b * 32 + threadIdx.x;
    mine[i] *= 11;
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned, SCOPE>(fpeer[b]).store(1, cuda::memory_order_release);
        while (cuda::atomic_ref<unsigned, SCOPE>(fmine[b]).load(cuda::memory_order_acquire) == 0)
            ;
    }
    __syncthreads();
    out[i] = mine[i] + peer[i];
}
