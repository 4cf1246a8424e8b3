// M25: three mistakes are classic where data is published by a flag: a plain flag, a fence on one
// side only, and an atomic flag of relaxed order. None of them orders the data. A flag with
// release order on one side and acquire order on the other does.
// launch: kernel=publish grid=2 block=32 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=25
// expect: clean
// final: copy[0]==25
#include <cuda/atomic>

extern "C" __global__ void publish(unsigned *data, unsigned *flag, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 25;
        ready.store(1, cuda::memory_order_release);
    } else if (ready.load(cuda::memory_order_acquire) == 1) {
        copy[0] = data[0];
    }
}
