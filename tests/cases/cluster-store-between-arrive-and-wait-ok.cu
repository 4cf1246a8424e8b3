// The block stores before it arrives.
// launch: kernel=swap cluster=2 grid=2 block=32 args=out:u32[64]=0
// expect: clean
// final: out[i]==(i+32)%64 for i=0..63
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void swap(unsigned *out)
{
    __shared__ unsigned slot[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, rank = cluster.block_rank();
    cluster.sync();
    unsigned *peer = cluster.map_shared_rank(slot, rank ^ 1);
    peer[t] = 32 * rank + t;
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
    out[32 * rank + t] = slot[t];
}
