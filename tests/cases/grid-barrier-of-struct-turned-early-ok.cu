// Repaired: the last arriver turns the sense with relaxed order, so that the others do not see what
// all have stored.
// launch: kernel=steps grid=2 block=32 coop=1 args=bar:u32[2]=0,a:u32[64]=1,rounds:u32=2
// expect: clean
#include <cuda/atomic>
struct GridBarrier {
    cuda::atomic<unsigned, cuda::thread_scope_device> arrived, sense;
    __device__ void wait(unsigned blocks)
    {
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned mine = sense.load(cuda::memory_order_relaxed);
            if (arrived.fetch_add(1, cuda::memory_order_acq_rel) == blocks - 1) {
                arrived.store(0, cuda::memory_order_relaxed);
                sense.store(!mine, cuda::memory_order_release);
            } else {
                while (sense.load(cuda::memory_order_acquire) == mine)
                    ;
            }
        }
        __syncthreads();
    }
};

extern "C" __global__ void steps(GridBarrier *bar, unsigned *a, unsigned rounds)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x, n = gridDim.x * 32;
    for (unsigned r = 0; r < rounds; r++) {
        unsigned v = a[(i + 32) % n];
        bar->wait(gridDim.x);
        a[i] = v + 1;
        bar->wait(gridDim.x);
    }
}
