// Sum over a cluster of four: in each step half of the blocks read a partial sum of a partner. One step has no barrier of the
// cluster behind it, only one of the block.
// launch: kernel=total grid=4 block=32 cluster=4 args=x:u32[128]=iota,y:u32[32]=0
// expect: data-race
// accept: uninitialised
// where: 20
// final: y[i] == 4*i + 192 for i=0..31
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4) total(const unsigned *x, unsigned *y)
{
    __shared__ unsigned sum[32];
    auto cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), t = threadIdx.x;
    sum[t] = x[32 * rank + t];
    cluster.sync();
    for (unsigned half = 2; half > 0; half /= 2) {
        if (rank < half)
            sum[t] += *cluster.map_shared_rank(sum + t, rank + half);
        __syncthreads();
    }
    if (rank == 0)
        y[t] = sum[t];
    cluster.sync();
}
