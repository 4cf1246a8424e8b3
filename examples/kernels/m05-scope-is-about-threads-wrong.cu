// M5: a scope says between which threads an operation is atomic and orders, not where the data
// lies. Here the flag has block scope, and the threads that use it are in two blocks. They are
// outside of each other's scope, so that neither the flag is atomic between them nor the data
// ordered, in global memory as elsewhere.
// launch: kernel=relay grid=2 block=64 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=5
// expect: scope-too-narrow
// where: 15,16,18,19
// final: copy[0]==5
#include <cuda/atomic>

extern "C" __global__ void relay(unsigned *data, unsigned *flag, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> ready(*flag);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        data[0] = 5;
        ready.store(1, cuda::memory_order_release);
    }
    if (blockIdx.x == 1 && threadIdx.x == 0 && ready.load(cuda::memory_order_acquire) == 1)
        copy[0] = data[0];
}
