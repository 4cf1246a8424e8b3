// The second phase reads what other blocks wrote in the first, but only the block synchronises: the
// group is that of the block.
// launch: kernel=rotate_rows grid=3 block=32 coop=1 args=rows:u32[96]=0,rotated:u32[96]=0
// expect: no-synchronisation
// accept: barrier-missing
// where: 14,16
// final: rotated[i]==(i+32)%96 for i=0..95
#include <cooperative_groups.h>

extern "C" __global__ void rotate_rows(unsigned *rows, unsigned *rotated)
{
    cooperative_groups::thread_block group = cooperative_groups::this_thread_block();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[i] = i;
    group.sync();
    rotated[i] = rows[(i + 32) % 96];
}
