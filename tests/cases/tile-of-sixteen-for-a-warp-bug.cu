// The group that is synchronised has 16 threads, the partner sits in the other group.
// launch: kernel=fold grid=1 block=32 args=x:u32[32]=iota,out:u32[16]=0
// expect: warp-sync-missing
// where: 15,18
// final: out[i]==2*i+16 for i=0..15
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void fold(const unsigned *x, unsigned *out)
{
    __shared__ unsigned s[32];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    unsigned t = block.thread_rank();
    s[t] = x[t];
    tile.sync();
    if (t < 16)
        out[t] = s[t] + s[t + 16];
}
