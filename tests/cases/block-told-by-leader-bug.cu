// One thread polls for its block, and tells the others through shared memory. Behind the barrier the
// others look at what it has seen, while it may already poll again and overwrite that.
// launch: kernel=told grid=2 block=64 args=flag:u32[1]=0,data:u32[64]=0,out:u32[64]=0
// expect: data-race
// where: 20,22
// final: out[i] == i + 1 for i=0..63
#include <cuda/atomic>

extern "C" __global__ void told(unsigned *flag, unsigned *data, unsigned *out)
{
    __shared__ unsigned seen;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t + 1;
        __syncthreads();
        if (t == 0) ready.store(1, cuda::memory_order_release);
    } else {
        for (;;) {
            if (t == 0) seen = ready.load(cuda::memory_order_acquire);
            __syncthreads();
            if (seen) break;
        }
        out[t] = data[t];
    }
}
