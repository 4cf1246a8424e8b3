// The writer sets a plain flag after its data, and the reader looks at it by a plain load.
// launch: kernel=relay grid=2 block=32 args=data:u32[1]=0,done:u32[1]=0,seen:u32[1]=3
// expect: plain-flag
// accept: no-synchronisation
// where: 14,15,16,17
// final: seen[0]==3
#include <cuda/atomic>

extern "C" __global__ void relay(unsigned *data, unsigned *done, unsigned *seen)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 3;
        done[0] = 1;
    } else if (done[0]) {
        seen[0] = data[0];
    }
}
