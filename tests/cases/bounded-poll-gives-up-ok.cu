// A consumer polls a flag a thousand times and then gives up. It looks at the data only if it has seen the flag.
// launch: kernel=consume grid=2 block=1 args=data:u32[1]=0,flag:u32[1]=0,out:u32[1]=7
// expect: clean
// final: out[0] == 1 || out[0] == 2
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
    out[0] = seen ? *data : 2;
}
