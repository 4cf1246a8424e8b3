// Fences surround a volatile flag. The PTX that today's compiler makes of it is right, but for
// C++ a volatile access is not atomic, so that the flag is a data race.
// launch: kernel=forward grid=2 block=32 args=item:u32[1]=0,flag:u32[1]=0,copy:u32[1]=4
// level: cuda
// expect: volatile-flag
// accept: data-race
// where: 18,19
// final: copy[0]==4
#include <cuda/atomic>

extern "C" __global__ void forward(unsigned *item, unsigned *flag, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        item[0] = 4;
        __threadfence();
        *(volatile unsigned *)flag = 1;
    } else if (*(volatile unsigned *)flag) {
        __threadfence();
        copy[0] = item[0];
    }
}
