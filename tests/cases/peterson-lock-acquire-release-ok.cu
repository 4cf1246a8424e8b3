// The turn is given away by an atomic exchange: whoever comes second sees the wish of the first.
// launch: kernel=peterson grid=2 block=32 coop=1 args=wish:u32[2]=0,turn:u32[1]=0,count:u32[1]=0
// expect: clean
// final: count[0]==2
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void peterson(unsigned *wish, unsigned *turn, unsigned *count)
{
    unsigned me = blockIdx.x, other = 1 - me;
    if (threadIdx.x != 0)
        return;
    Word(wish[me]).store(1, cuda::memory_order_release);
    Word(turn[0]).exchange(other, cuda::memory_order_acq_rel);
    while (Word(wish[other]).load(cuda::memory_order_acquire) == 1 &&
           Word(turn[0]).load(cuda::memory_order_acquire) == other)
        ;
    count[0] += 1;
    Word(wish[me]).store(0, cuda::memory_order_release);
}
