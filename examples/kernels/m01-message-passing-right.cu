// M1: one thread writes data and then a flag; that order is its own, and another thread may see
// the flag without the data. A release store keeps what comes before it before it, and an acquire
// load keeps what comes after it after it, for the hardware and for the compiler. With the two of
// them on the flag, whoever sees the flag sees the data.
// launch: kernel=pass grid=2 block=32 coop=1 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=0
// expect: clean
// final: copy[0]==42
#include <cuda/atomic>

extern "C" __global__ void pass(unsigned *data, unsigned *flag, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        copy[0] = data[0];
    }
}
