// Blocks of a cluster that read each other's shared memory.
// launch: kernel=cluster_exchange grid=4 block=32 cluster=2 args=in:u32[128]=random:36,out:u32[256]=0
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_exchange(const unsigned *in, unsigned *out) {
  __shared__ unsigned row[32], sum;
  auto cluster = cooperative_groups::this_cluster();
  unsigned t = threadIdx.x, rank = cluster.block_rank();
  row[t] = in[blockIdx.x * 32 + t];
  if (t == 0)
    sum = 0;
  cluster.sync();
  unsigned *other = cluster.map_shared_rank(row, rank ^ 1);
  out[blockIdx.x * 32 + t] = other[31 - t];
  atomicAdd(cluster.map_shared_rank(&sum, 0), row[t]);
  cluster.sync();
  out[128 + blockIdx.x * 32 + t] = sum;
}
