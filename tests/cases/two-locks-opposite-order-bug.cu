// One block takes lock 0 and then lock 1, the other takes lock 1 and then lock 0; each may hold
// what the other waits for.
// launch: kernel=transfer grid=2 block=32 args=lock:u32[2]=0,account:u32[2]=50
// expect: deadlock
// accept: livelock
// where: 10,26,27
// final: account[0]+account[1]==100
__device__ static void take(unsigned *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}

__device__ static void leave(unsigned *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void transfer(unsigned *lock, unsigned *account)
{
    unsigned from = blockIdx.x, to = 1 - from;
    if (threadIdx.x != 0)
        return;
    take(&lock[from]);
    take(&lock[to]);
    account[from] -= 10;
    account[to] += 10;
    leave(&lock[0]);
    leave(&lock[1]);
}
