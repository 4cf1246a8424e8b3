// M1: one thread writes data and then a flag; that order is its own, and another thread may see
// the flag without the data. The hardware may let the second store pass the first, or the second
// load the first; and the compiler may do the same, or read a polled plain word once and never
// again. The taker here polls a plain flag: both threats are real.
// launch: kernel=pass grid=2 block=32 coop=1 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=0
// expect: data-race
// accept: hoistable-poll,deadlock,livelock
// where: 17,18,20,22
// final: copy[0]==42
#include <cuda/atomic>

extern "C" __global__ void pass(unsigned *data, unsigned *flag, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 42;
        flag[0] = 1;
    } else {
        while (flag[0] == 0)
            ;
        copy[0] = data[0];
    }
}
