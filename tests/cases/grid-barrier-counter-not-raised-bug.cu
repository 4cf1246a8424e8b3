// A barrier of the grid is used twice with the same counter and the same goal: the second time,
// the counter is past it already.
// launch: kernel=two_rounds grid=2 block=32 coop=1 args=arrived:u32[1]=0,a:u32[2]=0,b:u32[2]=0,c:u32[2]=0
// expect: no-synchronisation
// accept: release-missing,acquire-missing,assert
// where: 25,27
// final: c[0]==2 && c[1]==2
#include <cuda/atomic>

__device__ static void meet(unsigned *arrived, unsigned goal)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*arrived);
    count.fetch_add(1, cuda::memory_order_acq_rel);
    while (count.load(cuda::memory_order_acquire) < goal)
        ;
}

extern "C" __global__ void two_rounds(unsigned *arrived, unsigned *a, unsigned *b, unsigned *c)
{
    unsigned me = blockIdx.x, other = 1 - me;
    if (threadIdx.x != 0)
        return;
    a[me] = 1;
    meet(arrived, 2);
    b[me] = a[other] + 1;
    meet(arrived, 2);
    c[me] = b[other];
}
