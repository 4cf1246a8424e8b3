// Blocks meet by a counter that grows lap by lap; a fast block passes the number that a slow one waits for.
// launch: kernel=iterate grid=3 block=4 shared=0 coop=1 args=c:u32[1]=0,out:u32[3]=0
// final: out[i]==2 for i=0..2
// expect: deadlock
// where: 14,15
#include <cuda/atomic>
extern "C" __global__ void iterate(unsigned *c, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> a(*c);
    unsigned r = 1;
    for (; r <= 2; ++r) {
        __syncthreads();
        if (threadIdx.x == 0) {
            a.fetch_add(1, cuda::memory_order_release);
            while (a.load(cuda::memory_order_acquire) != r * gridDim.x)
                ;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = r - 1;
}
