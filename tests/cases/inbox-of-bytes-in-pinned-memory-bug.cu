// The host polls a byte of pinned memory that a kernel raises with device scope.
// launch: kernel=serve device=0 grid=1 block=1 args=done:u8[4]=0,data:u32[1]=0
// launch: kernel=host device=host grid=1 block=1 args=done:u8[4]=0,data:u32[1]=0,out:u32[1]=0
// relation: concurrent
// expect: scope-too-narrow
// accept: data-race
// final: out[0]==42
#include <cuda/atomic>
extern "C" __global__ void serve(bool *done, unsigned *data)
{
    *data = 42;
    cuda::atomic_ref<bool, cuda::thread_scope_device> flag(*done);
    flag.store(true, cuda::memory_order_release);
}
extern "C" __global__ void host(bool *done, unsigned *data, unsigned *out)
{
    cuda::atomic_ref<bool, cuda::thread_scope_system> flag(*done);
    while (!flag.load(cuda::memory_order_acquire))
        ;
    *out = *data;
}
