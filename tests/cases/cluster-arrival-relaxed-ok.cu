// The arrival has its default, release order.
// launch: kernel=swap_blocks grid=2 block=32 cluster=2 args=y:u32[64]=0
// expect: clean
// final: y[i]==(i<32 ? i+32 : i-32) for i=0..63
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) swap_blocks(unsigned *y)
{
    __shared__ unsigned s[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, rank = cluster.block_rank();
    s[t] = 32 * rank + t;
    asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory");
    y[32 * rank + t] = cluster.map_shared_rank(s, rank ^ 1)[t];
    cluster.sync();
}
