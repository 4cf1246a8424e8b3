// A block writes before it arrives at the grid's barrier.
// launch: kernel=swap coop=1 grid=2 block=32 args=x:u32[64]=0,y:u32[64]=0
// expect: clean
// final: y[i]==(i+32)%64 for i=0..63
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void swap(unsigned *x, unsigned *y)
{
    cg::grid_group grid = cg::this_grid();
    unsigned t = threadIdx.x, b = blockIdx.x;
    x[32 * b + t] = 32 * b + t;
    auto token = grid.barrier_arrive();
    grid.barrier_wait(static_cast<cg::grid_group::arrival_token &&>(token));
    y[32 * b + t] = x[32 * (1 - b) + t];
}
