// A fence follows where the lock is taken.
// launch: kernel=withdraw grid=2 block=32 args=lock:u32[1]=0,balance:u32[1]=100
// expect: clean
// final: balance[0]==80
extern "C" __global__ void withdraw(unsigned *lock, unsigned *balance)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    balance[0] -= 10;
    __threadfence();
    atomicExch(lock, 0);
}
