// The tail is stored with release order.
// launch: kernel=queue grid=2 block=32 args=slot:u32[2]=0,tail_word:u32[1]=0,sum:u32[1]=83
// expect: clean
// final: sum[0]==83
#include <cuda/atomic>

extern "C" __global__ void queue(unsigned *slot, unsigned *tail_word, unsigned *sum)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> tail(*tail_word);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        slot[0] = 41;
        slot[1] = 42;
        tail.store(2, cuda::memory_order_release);
    } else if (tail.load(cuda::memory_order_acquire) == 2) {
        sum[0] = slot[0] + slot[1];
    }
}
