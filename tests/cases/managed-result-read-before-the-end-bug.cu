// The host reads results in managed memory after a look at a flag that a kernel raises, on a card where
// managed memory is not for the host while kernels run.
// machine: card-apart-from-host.machine
// launch: kernel=work device=0 grid=1 block=32 args=result=R:u32[32]=0,flag=F:u32[1]=0
// launch: kernel=look device=host grid=1 block=1 args=result=R:u32[32]=0,flag=F:u32[1]=0,copy:u32[32]=0
// buffers: R=managed F=pinned
// relation: concurrent
// expect: managed-in-use
// where: 27
// final: copy[i] == 2*i for i=0..31
#include <cuda/atomic>
using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

extern "C" __global__ void work(unsigned *result, unsigned *flag)
{
    result[threadIdx.x] = 2 * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        Ref(*flag).store(1, cuda::memory_order_release);
}

extern "C" __global__ void look(const unsigned *result, unsigned *flag, unsigned *copy)
{
    while (Ref(*flag).load(cuda::memory_order_acquire) == 0)
        ;
    for (int i = 0; i < 32; i++)
        copy[i] = ((volatile const unsigned *)result)[i];
}
