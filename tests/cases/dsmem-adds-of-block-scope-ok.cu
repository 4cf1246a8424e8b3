// The atomics are those of the device.
// launch: kernel=bins cluster=2 grid=2 block=32 args=out:u32[32]=0
// expect: clean
// final: out[i]==2 for i=0..31
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void bins(unsigned *out)
{
    __shared__ unsigned bin[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x;
    bin[t] = 0;
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(bin, 0) + t, 1);
    cluster.sync();
    if (cluster.block_rank() == 0)
        out[t] = bin[t];
}
