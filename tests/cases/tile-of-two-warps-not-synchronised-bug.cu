// Two warps form a tile of 64 threads, which exchanges through shared memory without its barrier.
// launch: kernel=turn grid=1 block=128 args=out:u32[128]=0
// expect: data-race
// accept: barrier-missing
// where: 16,17
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
    out[t] = x[t ^ 63];
}
