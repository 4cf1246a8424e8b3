// A block stores into its neighbour's memory when it has arrived at the barrier of the cluster already.
// launch: kernel=swap cluster=2 grid=2 block=32 args=out:u32[64]=0
// expect: data-race
// accept: uninitialised,use-after-exit
// where: 17,19
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
    auto token = cluster.barrier_arrive();
    peer[t] = 32 * rank + t;
    cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
    out[32 * rank + t] = slot[t];
}
