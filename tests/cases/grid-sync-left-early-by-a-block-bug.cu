// A block that has converged leaves the loop, and the others wait for it at the barrier of the grid.
// launch: kernel=iterate coop=1 grid=2 block=32 args=rounds:u32[2]={1,2},done:u32[2]=0
// expect: deadlock
// final: done[0]==1 && done[1]==1
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void iterate(const unsigned *rounds, unsigned *done)
{
    cg::grid_group grid = cg::this_grid();
    for (unsigned r = 1; r <= 2; r++) {
        if (r == rounds[blockIdx.x]) {
            if (threadIdx.x == 0)
                done[blockIdx.x] = 1;
            return;
        }
        grid.sync();
    }
}
