// The scan waits for the event behind the clearing of its status words.
// launch: kernel=clear stream=1 grid=1 block=32 args=status:u64[2]=7
// launch: kernel=scan stream=0 after=1 grid=2 block=1 args=status:u64[2]=7,x:u32[2]={5,6},out:u32[2]=0,ticket:u32[1]=0
// expect: clean
// final: out[0]==5 && out[1]==11
#include <cuda/atomic>
using Word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
extern "C" __global__ void clear(unsigned long long *status)
{
    if (threadIdx.x < 2)
        status[threadIdx.x] = 0;
}
extern "C" __global__ void scan(unsigned long long *status, const unsigned *x, unsigned *out, unsigned *ticket)
{
    unsigned tile = atomicAdd(ticket, 1), sum = x[tile];
    if (tile > 0) {
        unsigned long long before;
        do
            before = Word(status[tile - 1]).load(cuda::memory_order_relaxed);
        while (before >> 32 != 2);
        sum += (unsigned)before;
    }
    Word(status[tile]).store(2ull << 32 | sum, cuda::memory_order_relaxed);
    out[tile] = sum;
}
