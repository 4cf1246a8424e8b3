// Repaired: the middle of a chain of three blocks releases with a fence of its block.
// launch: kernel=relay grid=3 block=1 args=v:f64[1]=0,flag:u32[2]=0,out:f64[2]=0
// expect: clean
// final: out[0]==2.5 && out[1]==5
#include <cuda/atomic>
__device__ void wait_for(unsigned *flag)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> f(*flag);
    while (!f.load(cuda::memory_order_relaxed))
        ;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
}

template <cuda::thread_scope S> __device__ void notify(unsigned *flag)
{
    cuda::atomic_thread_fence(cuda::memory_order_release, S);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_relaxed);
}

extern "C" __global__ void relay(double *v, unsigned *flag, double *out)
{
    if (blockIdx.x == 0) {
        v[0] = 2.5;
        notify<cuda::thread_scope_device>(flag);
    } else if (blockIdx.x == 1) {
        wait_for(flag);
        out[0] = v[0];
        v[0] *= 2;
        notify<cuda::thread_scope_device>(flag + 1);
    } else {
        wait_for(flag + 1);
        out[1] = v[0];
    }
}
