// The index is read with acquire.
// launch: kernel=publish coop=1 grid=2 block=1 args=table:u32[2]={5,0},current:u32[1]=0,out:u32[1]=0
// expect: clean
// final: out[0]==5 || out[0]==6
#include <cuda/atomic>
extern "C" __global__ void publish(unsigned *table, unsigned *current, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> index(*current);
    if (blockIdx.x == 0) {
        table[1] = 6;
        index.store(1, cuda::memory_order_release);
    } else {
        out[0] = table[index.load(cuda::memory_order_acquire)];
    }
}
