// The flag is raised with release and seen with acquire.
// launch: kernel=compute device=0 stream=0 grid=1 block=32 args=x=A:u32[32]=0,by:u32=1
// launch: kernel=compute device=1 stream=1 grid=1 block=32 args=x=B:u32[32]=0,by:u32=2
// launch: kernel=reduce device=0 stream=0 grid=1 block=32 args=mine=A:u32[32]=0,peer=B:u32[32]=0,raise=FB:u32[1]=0,seen=FA:u32[1]=0,out=X:u32[32]=0
// launch: kernel=reduce device=1 stream=1 grid=1 block=32 args=mine=B:u32[32]=0,peer=A:u32[32]=0,raise=FA:u32[1]=0,seen=FB:u32[1]=0,out=Y:u32[32]=0
// expect: clean
// final: X[t]==3*t && Y[t]==3*t for t=0..31
#include <cuda/atomic>
extern "C" __global__ void compute(unsigned *x, unsigned by)
{
    x[threadIdx.x] = by * threadIdx.x;
}
extern "C" __global__ void reduce(const unsigned *mine, const unsigned *peer, unsigned *raise, unsigned *seen, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> bell(*raise), inbox(*seen);
    unsigned t = threadIdx.x;
    if (t == 0) {
        bell.store(1, cuda::memory_order_release);
        while (inbox.load(cuda::memory_order_acquire) == 0)
            ;
    }
    __syncthreads();
    out[t] = mine[t] + peer[t];
}
