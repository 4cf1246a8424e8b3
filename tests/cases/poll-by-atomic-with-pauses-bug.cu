// A consumer polls by an atomic that adds nothing, and sleeps longer each time. The atomic is relaxed.
// launch: kernel=consume grid=2 block=1 args=flag:u32[1]=0,data:u32[1]=0,out:u32[1]=0
// expect: data-race
// accept: stale-value
// where: 13,22
// final: out[0] == 7
#include <cuda/atomic>

extern "C" __global__ void consume(unsigned *flag, unsigned *data, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        data[0] = 7;
        ready.store(1, cuda::memory_order_release);
        return;
    }
    unsigned pause = 8;
    while (ready.fetch_add(0, cuda::memory_order_relaxed) == 0) {
        __nanosleep(pause);
        if (pause < 4096) pause *= 2;
    }
    out[0] = data[0];
}
