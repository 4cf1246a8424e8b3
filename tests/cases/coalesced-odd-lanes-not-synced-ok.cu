// The odd lanes of a warp form a group, and each reads what its neighbour in it has put into shared memory,
// behind a barrier of the group. Compiled without optimisation: the group is a word of bit fields.
// nvcc: -G
// launch: kernel=shift grid=1 block=32 args=out:u32[32]=0
// final: out[2*i+1]==(2*i+3)%32 for i=0..15
// expect: clean
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
    odd.sync();
    out[threadIdx.x] = kept[next];
}
