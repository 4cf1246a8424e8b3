// Lane 0 polls for its warp, and tells the other lanes by a shuffle. It polls with acquire order, and
// bar.warp.sync hands that order on to the other lanes.
// launch: kernel=warp_polls grid=2 block=32 args=flag:u32[1]=0,data:u32[32]=0,out:u32[32]=0
// expect: clean
// final: out[i] == i + 1 for i=0..31
#include <cuda/atomic>

extern "C" __global__ void warp_polls(unsigned *flag, unsigned *data, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    unsigned lane = threadIdx.x, seen;
    if (blockIdx.x == 0) {
        data[lane] = lane + 1;
        __syncwarp();
        if (lane == 0)
            ready.store(1, cuda::memory_order_release);
    } else {
        do {
            seen = lane == 0 ? ready.load(cuda::memory_order_acquire) : 0;
            seen = __shfl_sync(~0u, seen, 0);
        } while (!seen);
        __syncwarp();
        out[lane] = data[lane];
    }
}
