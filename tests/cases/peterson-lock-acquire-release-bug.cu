// Peterson's lock for two blocks, with release stores and acquire loads: both may miss the wish
// of the other and enter.
// launch: kernel=peterson grid=2 block=32 coop=1 args=wish:u32[2]=0,turn:u32[1]=0,count:u32[1]=0
// expect: data-race
// accept: stale-value,assert,lost-update
// where: 22,22
// final: count[0]==2
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void peterson(unsigned *wish, unsigned *turn, unsigned *count)
{
    unsigned me = blockIdx.x, other = 1 - me;
    if (threadIdx.x != 0)
        return;
    Word(wish[me]).store(1, cuda::memory_order_release);
    Word(turn[0]).store(other, cuda::memory_order_release);
    while (Word(wish[other]).load(cuda::memory_order_acquire) == 1 &&
           Word(turn[0]).load(cuda::memory_order_acquire) == other)
        ;
    count[0] += 1;
    Word(wish[me]).store(0, cuda::memory_order_release);
}
// run: weak
