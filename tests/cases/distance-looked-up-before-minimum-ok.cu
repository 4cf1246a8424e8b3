// The load is relaxed.
// launch: kernel=relax coop=1 grid=3 block=1 args=dist:u32[1]=100,by:u32[3]={30,20,25}
// expect: clean
// final: dist[0]==20
#include <cuda/atomic>
extern "C" __global__ void relax(unsigned *dist, const unsigned *by)
{
    unsigned d = by[blockIdx.x];
    if (d < cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*dist).load(cuda::memory_order_relaxed))
        atomicMin(dist, d);
}
