// A barrier of the cluster comes before the neighbour adds.
// launch: kernel=bins cluster=2 grid=2 block=32 args=out:u32[64]=0
// expect: clean
// final: out[i]==2 for i=0..63
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void bins(unsigned *out)
{
    __shared__ unsigned bin[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x;
    bin[t] = 0;
    cluster.sync();
    for (unsigned r = 0; r < 2; r++)
        atomicAdd(cluster.map_shared_rank(bin, r) + (t ^ r), 1);
    cluster.sync();
    out[32 * blockIdx.x + t] = bin[t];
}
