// A persistent kernel serves requests of the host, in a mailbox with sequence numbers. The kernel answers by a
// release of system scope.
// launch: kernel=server device=0 grid=1 block=1 args=request=Q:u32[1]=0,arg=A:u32[1]=0,reply=R:u32[1]=0,value=V:u32[1]=0
// launch: kernel=client device=host grid=1 block=1 args=request=Q:u32[1]=0,arg=A:u32[1]=0,reply=R:u32[1]=0,value=V:u32[1]=0,y:u32[2]=0
// relation: concurrent
// expect: clean
// final: y[0] == 100 && y[1] == 121
#include <cuda/atomic>
using System = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

extern "C" __global__ void server(unsigned *request, const unsigned *arg, unsigned *reply, unsigned *value)
{
    for (unsigned n = 1; n <= 2; n++) {
        while (System(*request).load(cuda::memory_order_acquire) != n)
            ;
        unsigned x = *(volatile const unsigned *)arg;
        *value = x * x;
        System(*reply).store(n, cuda::memory_order_release);
    }
}

extern "C" __global__ void client(unsigned *request, unsigned *arg, unsigned *reply, const unsigned *value, unsigned *y)
{
    for (unsigned n = 1; n <= 2; n++) {
        *arg = 9 + n;
        System(*request).store(n, cuda::memory_order_release);
        while (System(*reply).load(cuda::memory_order_acquire) != n)
            ;
        y[n - 1] = *(volatile const unsigned *)value;
    }
}
