// The group meets at its barrier.
// launch: kernel=turn grid=1 block=32 args=out:u32[32]=0
// expect: clean
// final: out[i]==(i^1) for i=0..15
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void turn(unsigned *out)
{
    __shared__ unsigned x[32];
    unsigned t = threadIdx.x;
    if (t < 16) {
        auto group = cg::coalesced_threads();
        x[group.thread_rank()] = t;
        group.sync();
        out[t] = x[group.thread_rank() ^ 1];
    }
}
