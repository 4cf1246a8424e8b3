// grid.sync() orders the phases. Its counter is flipped by the last block, and all poll for that.
// launch: kernel=rotate_rows grid=3 block=32 coop=1 args=rows:u32[96]=0,rotated:u32[96]=0
// expect: clean
// final: rotated[i]==(i+32)%96 for i=0..95
#include <cooperative_groups.h>

extern "C" __global__ void rotate_rows(unsigned *rows, unsigned *rotated)
{
    cooperative_groups::grid_group group = cooperative_groups::this_grid();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[i] = i;
    group.sync();
    rotated[i] = rows[(i + 32) % 96];
}
