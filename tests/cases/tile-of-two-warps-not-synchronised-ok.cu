// The tile meets at its barrier.
// launch: kernel=turn grid=1 block=128 args=out:u32[128]=0
// expect: clean
// final: out[i]==(i^63) for i=0..127
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void turn(unsigned *out)
{
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ unsigned x[128];
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    unsigned t = threadIdx.x;
    x[t] = t;
    tile.sync();
    out[t] = x[t ^ 63];
}
