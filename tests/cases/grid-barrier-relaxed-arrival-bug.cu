// A barrier of the whole grid: the leaders arrive by a relaxed atomic, which does not publish
// what their blocks wrote before.
// launch: kernel=two_phases grid=2 block=32 coop=1 args=arrived:u32[1]=0,phase1:u32[64]=0,phase2:u32[64]=0
// expect: release-missing
// where: 13,21
// final: phase2[i]==63-i for i=0..63
#include <cuda/atomic>

extern "C" __global__ void two_phases(unsigned *arrived, unsigned *phase1, unsigned *phase2)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*arrived);
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    phase1[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        count.fetch_add(1, cuda::memory_order_relaxed);
        while (count.load(cuda::memory_order_acquire) != gridDim.x)
            ;
    }
    __syncthreads();
    phase2[i] = phase1[63 - i];
}
// run: no, the cause is named after the threads, not after the counter
