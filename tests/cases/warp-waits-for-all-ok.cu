// Each lane polls the flag of one worker until all of them are set; the barrier of the
// warp behind the loop hands what each of them has seen on to lane 0.
// launch: kernel=wait_for_all grid=2 block=32 args=flags:u32[32]=0,data:u32[32]=0,out:u32[1]=0
// expect: clean
// final: out[0] == 496
#include <cuda/atomic>

extern "C" __global__ void wait_for_all(unsigned *flags, unsigned *data, unsigned *out)
{
    unsigned lane = threadIdx.x;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(flags[lane]);
    if (blockIdx.x == 0) {
        data[lane] = lane;
        if (lane < 32)
            flag.store(1, cuda::memory_order_release);
        return;
    }
    unsigned is_set;
    do
        is_set = flag.load(cuda::memory_order_acquire);
    while (!__all_sync(~0u, is_set));
    __syncwarp();
    if (lane == 0)
        for (unsigned i = 0; i < 32; i++)
            *out += data[i];
}
