// atomic::wait with relaxed order: it waits, and orders nothing.
// launch: kernel=hand_over grid=2 block=1 args=ready:u32[1]=0,data:u32[1]=0,out:u32[1]=0
// expect: acquire-missing
// accept: no-synchronisation
// where: 13,18
#include <cuda/atomic>

extern "C" __global__ void hand_over(unsigned *ready, unsigned *data, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(*ready);
    if (blockIdx.x == 0) {
        data[0] = 1;
        flag.store(1, cuda::memory_order_release);
        flag.notify_all();
    } else {
        flag.wait(0, cuda::memory_order_relaxed);
        out[0] = data[0];
    }
}
