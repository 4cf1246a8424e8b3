// Repaired: the copy of the whole block is started, the block meets, but nobody waits for the copy.
// launch: kernel=load grid=1 block=64 args=in:f32[64]=iota,out:f32[64]=0
// expect: clean
// final: out[i]==63-i for i=0..63
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

extern "C" __global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof(s));
    cg::wait(block);
    out[threadIdx.x] = s[63 - threadIdx.x];
}
