// Both blocks take the locks in the same order.
// launch: kernel=transfer grid=2 block=32 args=lock:u32[2]=0,account:u32[2]=50
// expect: clean
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
    take(&lock[0]);
    take(&lock[1]);
    account[from] -= 10;
    account[to] += 10;
    leave(&lock[0]);
    leave(&lock[1]);
}
