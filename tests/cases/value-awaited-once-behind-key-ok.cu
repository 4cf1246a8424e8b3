// Who finds the key waits until the value is no longer the one that stands for nothing.
// launch: kernel=table coop=1 grid=2 block=1 args=key:u32[1]=0,value:u32[1]=0xffffffff,out:u32[1]=0
// expect: clean
// final: out[0]==0 || out[0]==70
#include <cuda/atomic>
using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
extern "C" __global__ void table(unsigned *key, unsigned *value, unsigned *out)
{
    if (blockIdx.x == 0) {
        if (atomicCAS(key, 0, 7) == 0)
            Word(*value).store(70, cuda::memory_order_relaxed);
        return;
    }
    if (Word(*key).load(cuda::memory_order_relaxed) != 7)
        return;
    unsigned v;
    do
        v = Word(*value).load(cuda::memory_order_relaxed);
    while (v == 0xffffffff);
    out[0] = v;
}
