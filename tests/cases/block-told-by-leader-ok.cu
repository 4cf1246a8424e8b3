// One thread polls for its block, and tells the others through shared memory. It polls again when
// all have looked at what it has seen.
// launch: kernel=told grid=2 block=64 args=flag:u32[1]=0,data:u32[64]=0,out:u32[64]=0
// expect: clean
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
            __syncthreads();
        }
        out[t] = data[t];
    }
}
