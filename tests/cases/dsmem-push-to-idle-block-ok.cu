// The second block waits for the first one and then stores the counter.
// launch: kernel=push_count grid=2 block=32 cluster=2 args=y:u32[1]=32
// expect: clean
// final: y[0]==32
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) push_count(unsigned *y)
{
    __shared__ unsigned count;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0)
        count = 0;
    cluster.sync();
    if (rank == 0)
        atomicAdd(cluster.map_shared_rank(&count, 1), 1);
    cluster.sync();
    if (rank == 1 && threadIdx.x == 0)
        y[0] = count;
}
