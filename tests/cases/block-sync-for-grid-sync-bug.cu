// The second phase reads what the other block stores, but only the own block is waited for.
// launch: kernel=two_phases grid=2 block=32 coop=1 args=v:u32[64]=iota,w:u32[64]=0
// expect: data-race
// where: 12,14
// final: w[i]==2*((i+32)%64) for i=0..63
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class Group> __device__ void phases(Group group, unsigned *v, unsigned *w)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] *= 2;
    group.sync();
    w[i] = v[(i + 32) % 64];
}

extern "C" __global__ void two_phases(unsigned *v, unsigned *w)
{
    phases(cg::this_thread_block(), v, w);
}
