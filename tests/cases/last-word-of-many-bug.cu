// All threads store the leader that they vote for, and agree on the last one, but for a missing barrier.
// launch: kernel=elect grid=1 block=4 args=leader:u32[1]=9,agreed:u32[4]=9
// expect: data-race
// where: 13,15
// final: agreed[t]==leader[0] for t=0..3
#include <cuda/atomic>

extern "C" __global__ void elect(unsigned *leader, unsigned *agreed)
{
    unsigned t = threadIdx.x;
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> vote(*leader);
    if (t != 2)
        vote.store(t, cuda::memory_order_relaxed);
    __syncwarp(t < 2 ? 3 : 12);
    agreed[t] = *leader;
}
