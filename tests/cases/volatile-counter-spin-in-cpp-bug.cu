// A leader waits until a volatile counter says that the other block is done; for C++ the counter
// is a data race.
// launch: kernel=wait_for_other grid=2 block=32 coop=1 args=count:u32[1]=0,data:u32[1]=0,copy:u32[1]=0
// level: cuda
// expect: volatile-flag
// accept: data-race
// where: 18,20
// final: copy[0]==2
#include <cuda/atomic>

extern "C" __global__ void wait_for_other(unsigned *count, unsigned *data, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 2;
        __threadfence();
        atomicAdd(count, 1);
    } else {
        while (*(volatile unsigned *)count == 0)
            ;
        __threadfence();
        copy[0] = data[0];
    }
}
