// The second block reads a value from the shared memory of the first one, which may have ended by
// then.
// launch: kernel=ask_neighbour grid=2 block=32 cluster=2 args=y:u32[32]=0
// expect: use-after-exit
// accept: data-race
// where: 20,20
// final: y[t]==t+1 for t=0..31
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) ask_neighbour(unsigned *y)
{
    __shared__ unsigned s[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x;
    s[t] = t + 1;
    cluster.sync();
    if (cluster.block_rank() == 1)
        y[t] = cluster.map_shared_rank(s, 0)[t];
}
