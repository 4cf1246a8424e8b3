// Two kernels of one device in different memory synchronisation domains: device scope ends at the
// domain, so that the release and the acquire do not meet.
// launch: kernel=send stream=1 domain=0 grid=1 block=32 args=data:u32[1]=0,flag:u32[1]=0
// launch: kernel=receive stream=2 domain=1 grid=1 block=32 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=0
// relation: concurrent
// expect: scope-too-narrow
// where: 15,23
#include <cuda/atomic>

extern "C" __global__ void send(unsigned *data, unsigned *flag)
{
    if (threadIdx.x != 0)
        return;
    data[0] = 5;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);
}

extern "C" __global__ void receive(const unsigned *data, unsigned *flag, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> seen(*flag);
    while (seen.load(cuda::memory_order_acquire) == 0)
        ;
    copy[0] = data[0];
}
