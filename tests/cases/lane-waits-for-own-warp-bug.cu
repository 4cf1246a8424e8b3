// A lane holds the lock and waits for its warp, while the other lanes spin on the lock and never
// reach the warp barrier.
// launch: kernel=in_turn grid=1 block=3 args=lock:u32[1]=0,sum:u32[1]=0
// expect: deadlock
// accept: livelock
// where: 10,14
// final: sum[0]==6
extern "C" __global__ void in_turn(unsigned *lock, unsigned *sum)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    sum[0] += threadIdx.x + 1;
    __syncwarp(7);
    __threadfence();
    atomicExch(lock, 0);
}
