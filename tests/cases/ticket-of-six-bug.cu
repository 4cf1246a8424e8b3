// Six blocks draw tickets, but take their turn by a relaxed load: what they do may begin before
// their turn.
// launch: kernel=six grid=6 block=32 args=next:u32[1]=0,turn:u32[1]=0,log:u32[6]=9,length:u32[1]=0
// expect: acquire-missing
// where: 18,19
// final: length[0]==6
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void six(unsigned *next, unsigned *turn, unsigned *log, unsigned *length)
{
    if (threadIdx.x != 0)
        return;
    unsigned ticket = Word(*next).fetch_add(1, cuda::memory_order_relaxed);
    while (Word(*turn).load(cuda::memory_order_relaxed) != ticket)
        ;
    log[length[0]] = blockIdx.x;
    length[0] += 1;
    Word(*turn).store(ticket + 1, cuda::memory_order_release);
}
