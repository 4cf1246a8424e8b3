// The ticket lock is left by a release store.
// launch: kernel=deposit grid=3 block=32 args=next:u32[1]=0,serving:u32[1]=0,balance:u32[1]=0
// expect: clean
// final: balance[0]==30
#include <cuda/atomic>

using Turn = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void deposit(unsigned *next, unsigned *serving, unsigned *balance)
{
    Turn turn(*serving);
    if (threadIdx.x != 0)
        return;
    unsigned ticket = atomicAdd(next, 1);
    while (turn.load(cuda::memory_order_acquire) != ticket)
        ;
    balance[0] += 10;
    turn.store(ticket + 1, cuda::memory_order_release);
}
