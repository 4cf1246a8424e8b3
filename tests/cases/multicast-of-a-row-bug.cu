// The first block of a cluster fetches a tile for both of them: the copy goes to the same place in each,
// and counts for the mbarrier of each. Only the block that asked for it
// waits.
// launch: kernel=fetch grid=2 block=32 cluster=2 args=map=x:u32[32,2]:[32,1]=iota,out:u32[64]=0
// expect: data-race
// accept: uninitialised
// where: 31,36
// final: out[i] == 32 + i % 32 for i=0..63
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

extern "C" __global__ void fetch(const __grid_constant__ CUtensorMap map, unsigned *out)
{
    __shared__ alignas(128) unsigned row[32];
    __shared__ uint64_t bar;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof row);
    }
    cluster.sync();
    int corner[2] = {0, 1};
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                     :: "r"((uint32_t)__cvta_generic_to_shared(row)), "l"(&map), "r"(corner[0]),
                        "r"(corner[1]), "r"((uint32_t)__cvta_generic_to_shared(&bar)), "h"((short)3)
                     : "memory");
    if (cluster.block_rank() == 0)
        while (!ptx::mbarrier_try_wait_parity(&bar, 0))
            ;
    out[32 * blockIdx.x + threadIdx.x] = row[threadIdx.x];
}
