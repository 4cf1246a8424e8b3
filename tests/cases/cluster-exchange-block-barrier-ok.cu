// Both blocks wait at the cluster barrier, also before they leave.
// launch: kernel=exchange grid=2 block=32 cluster=2 args=got:u32[64]=0
// expect: clean
// final: got[i]==(i<32 ? 100 : 0) + i%32 for i=0..63
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) exchange(unsigned *got)
{
    __shared__ unsigned box[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, rank = cluster.block_rank();
    box[t] = 100 * rank + t;
    cluster.sync();
    got[32 * rank + t] = cluster.map_shared_rank(box, rank ^ 1)[t];
    cluster.sync();
}
