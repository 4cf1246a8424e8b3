// The odd lanes of a warp form a group, and each reads what its neighbour in it has put into shared memory,
// without a barrier of the group. Compiled without optimisation: the group is a word of bit fields.
// nvcc: -G
// launch: kernel=shift grid=1 block=32 args=out:u32[32]=0
// expect: data-race
// accept: warp-sync-missing
// where: 19,20
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void shift(unsigned *out)
{
    __shared__ unsigned kept[32];
    if (threadIdx.x % 2 == 0)
        return;
    cg::coalesced_group odd = cg::coalesced_threads();
    unsigned rank = odd.thread_rank(), next = (rank + 1) % odd.size();

    kept[rank] = threadIdx.x;
    out[threadIdx.x] = kept[next];
}
