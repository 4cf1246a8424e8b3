// grid.sync() in a kernel that was launched as any other: there is no workspace, and it traps.
// launch: kernel=rotate_rows grid=3 block=32 args=rows:u32[96]=0,rotated:u32[96]=0
// expect: trap
// where: 12,12
#include <cooperative_groups.h>

extern "C" __global__ void rotate_rows(unsigned *rows, unsigned *rotated)
{
    cooperative_groups::grid_group group = cooperative_groups::this_grid();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[i] = i;
    group.sync();
    rotated[i] = rows[(i + 32) % 96];
}
