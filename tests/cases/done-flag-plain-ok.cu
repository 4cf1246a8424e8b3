// The flag is an atomic with release and acquire order.
// launch: kernel=relay grid=2 block=32 args=data:u32[1]=0,done:u32[1]=0,seen:u32[1]=3
// expect: clean
// final: seen[0]==3
#include <cuda/atomic>

extern "C" __global__ void relay(unsigned *data, unsigned *done, unsigned *seen)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(*done);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 3;
        flag.store(1, cuda::memory_order_release);
    } else if (flag.load(cuda::memory_order_acquire)) {
        seen[0] = data[0];
    }
}
