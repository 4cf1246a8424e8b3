// A consumer polls a flag a thousand times, and looks at the data even if it has not seen the flag by then.
// launch: kernel=consume grid=2 block=1 args=data:u32[1]=0,flag:u32[1]=0,out:u32[1]=7
// expect: no-synchronisation
#include <cuda/atomic>

extern "C" __global__ void consume(unsigned *data, unsigned *flag, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 1;
        ready.store(1, cuda::memory_order_release);
        return;
    }
    bool seen = false;
    for (int i = 0; i < 1000 && !seen; i++)
        seen = ready.load(cuda::memory_order_acquire) != 0;
    out[0] = seen + *data;
}
// run: no, the flag is seen in time
