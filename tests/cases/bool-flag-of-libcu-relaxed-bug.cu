// A flag of type bool is stored without release.
// launch: kernel=publish coop=1 grid=2 block=1 args=ready:u8[4]=0,data:u32[1]=0,out:u32[1]=0
// expect: data-race
// where: 11,16
// final: out[0]==42
#include <cuda/atomic>
extern "C" __global__ void publish(bool *ready, unsigned *data, unsigned *out)
{
    cuda::atomic_ref<bool, cuda::thread_scope_device> flag(*ready);
    if (blockIdx.x == 0) {
        *data = 42;
        flag.store(true, cuda::memory_order_relaxed);
    } else {
        while (!flag.load(cuda::memory_order_acquire))
            ;
        *out = *data;
    }
}
