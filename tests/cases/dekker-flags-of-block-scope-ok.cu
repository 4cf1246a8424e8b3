// The atomics are those of the device.
// launch: kernel=enter coop=1 grid=2 block=1 args=want:u32[2]=0,inside:u32[1]=0
// expect: clean
// final: inside[0]<=1
#include <cuda/atomic>
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
extern "C" __global__ void enter(unsigned *want, unsigned *inside)
{
    unsigned me = blockIdx.x;
    Flag(want[me]).store(1, cuda::memory_order_seq_cst);
    if (Flag(want[1 - me]).load(cuda::memory_order_seq_cst) == 0)
        *inside += 1;
}
