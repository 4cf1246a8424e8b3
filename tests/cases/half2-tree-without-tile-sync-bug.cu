// The tree reduction of half2 in shared memory lacks tile.sync() between its steps.
// launch: kernel=dot grid=1 block=32 args=a:u32[32]=0x3c003c00,out:u32[1]=0
// expect: warp-sync-missing
// where: 19
// final: out[0]==0x50005000
#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

extern "C" __global__ void dot(const unsigned *a, unsigned *out)
{
    __shared__ __half2 s[32];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned t = tile.thread_rank();
    s[t] = reinterpret_cast<const __half2 *>(a)[t];
    tile.sync();
    for (unsigned d = 16; d > 0; d /= 2) {
        if (t < d)
            s[t] = __hadd2(s[t], s[t + d]);
    }
    if (t == 0)
        out[0] = *reinterpret_cast<unsigned *>(&s[0]);
}
