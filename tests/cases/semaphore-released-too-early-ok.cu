// The semaphore is given back behind the work.
// launch: kernel=in_turn grid=3 block=1 args=turn:u64[2]=0,sum:u32[1]=0
// expect: clean
// final: sum[0]==2
#include <cuda/semaphore>

extern "C" __global__ void in_turn(cuda::binary_semaphore<cuda::thread_scope_device> *turn, unsigned *sum)
{
    if (blockIdx.x == 0) {
        turn->release();
        return;
    }
    turn->acquire();
    sum[0] += 1;
    turn->release();
}
