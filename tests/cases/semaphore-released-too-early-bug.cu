// A semaphore of libcu++ that is given back before the work is done.
// launch: kernel=in_turn grid=3 block=1 args=turn:u64[2]=0,sum:u32[1]=0
// expect: no-synchronisation
// accept: lost-update,acquire-missing,release-missing
// where: 16,16
#include <cuda/semaphore>

extern "C" __global__ void in_turn(cuda::binary_semaphore<cuda::thread_scope_device> *turn, unsigned *sum)
{
    if (blockIdx.x == 0) {
        turn->release();
        return;
    }
    turn->acquire();
    turn->release();
    sum[0] += 1;
}
