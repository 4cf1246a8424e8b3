// The consumer gives a cell back for the wrong lap, so that the producer of the second lap waits for ever.
// launch: kernel=queue coop=1 grid=2 block=1 args=cell:u32[2]={0,1},item:u32[2]=0,out:u32[3]=0
// expect: deadlock
// accept: livelock
// where: 13,13
// final: out[i]==i+10 for i=0..2
#include <cuda/atomic>
using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
extern "C" __global__ void queue(unsigned *cell, unsigned *item, unsigned *out)
{
    if (blockIdx.x == 0) {
        for (unsigned at = 0; at < 3; at++) {
            while (Word(cell[at & 1]).load(cuda::memory_order_acquire) != at)
                ;
            item[at & 1] = 10 + at;
            Word(cell[at & 1]).store(at + 1, cuda::memory_order_release);
        }
    } else {
        for (unsigned at = 0; at < 3; at++) {
            while (Word(cell[at & 1]).load(cuda::memory_order_acquire) != at + 1)
                ;
            out[at] = item[at & 1];
            Word(cell[at & 1]).store(at + 1, cuda::memory_order_release);
        }
    }
}
