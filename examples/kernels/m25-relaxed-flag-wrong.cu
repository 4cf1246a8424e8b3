// M25, the third of three classic mistakes: an atomic flag of relaxed order. The flag itself is
// always seen whole, but relaxed means that it says nothing about any other access. The reader
// may see the flag and old data.
// launch: kernel=publish grid=2 block=32 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=25
// expect: release-missing
// accept: acquire-missing,no-synchronisation
// where: 17,20
// final: copy[0]==25
#include <cuda/atomic>

extern "C" __global__ void publish(unsigned *data, unsigned *flag, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 25;
        ready.store(1, cuda::memory_order_relaxed);
    } else if (ready.load(cuda::memory_order_relaxed) == 1) {
        copy[0] = data[0];
    }
}
