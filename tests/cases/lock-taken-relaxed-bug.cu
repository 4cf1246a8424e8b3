// The spin lock is left behind a fence, but there is no fence after it is taken: the reads of the
// critical section may come before.
// launch: kernel=withdraw grid=2 block=32 args=lock:u32[1]=0,balance:u32[1]=100
// expect: acquire-missing
// where: 13,13
// final: balance[0]==80
extern "C" __global__ void withdraw(unsigned *lock, unsigned *balance)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    balance[0] -= 10;
    __threadfence();
    atomicExch(lock, 0);
}
