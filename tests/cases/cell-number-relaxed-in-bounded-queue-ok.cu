// The numbers are stored with release, and read with acquire.
// launch: kernel=queue coop=1 grid=4 block=1 args=cell:u32[2]={0,1},item:u32[2]=0,head:u32[1]=0,tail:u32[1]=0,out:u32[2]=0
// expect: clean
// final: out[0]+out[1]==21
#include <cuda/atomic>
using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
extern "C" __global__ void queue(unsigned *cell, unsigned *item, unsigned *head, unsigned *tail, unsigned *out)
{
    if (blockIdx.x < 2) {
        unsigned at = Word(*tail).fetch_add(1, cuda::memory_order_relaxed);
        while (Word(cell[at & 1]).load(cuda::memory_order_acquire) != at)
            ;
        item[at & 1] = 10 + blockIdx.x;
        Word(cell[at & 1]).store(at + 1, cuda::memory_order_release);
    } else {
        unsigned at = Word(*head).fetch_add(1, cuda::memory_order_relaxed);
        while (Word(cell[at & 1]).load(cuda::memory_order_acquire) != at + 1)
            ;
        out[at & 1] = item[at & 1];
        Word(cell[at & 1]).store(at + 2, cuda::memory_order_release);
    }
}
