// The tile is filled by cp.async, and the barrier stands where cp.async.wait_all should come
// first: it does not wait for copies in flight.
// launch: kernel=rotate grid=1 block=64 args=x:u32[64]=iota,y:u32[64]=0
// expect: async-not-waited
// where: 13,16
// final: y[t]==(t+1)%64 for t=0..63
#include <cuda_pipeline_primitives.h>

extern "C" __global__ void rotate(const unsigned *x, unsigned *y)
{
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &x[t], sizeof(unsigned));
    __pipeline_commit();
    __syncthreads();
    y[t] = tile[(t + 1) % 64];
}
