// A barrier behind the use of a stage comes before its refill.
// launch: kernel=stages grid=1 block=64 args=x:u32[192]=iota,y:u32[64]=0
// expect: clean
// final: y[t]==3*(63-t)+192 for t=0..63
#include <cuda_pipeline_primitives.h>

extern "C" __global__ void stages(const unsigned *x, unsigned *y)
{
    __shared__ unsigned stage[2][64];
    unsigned t = threadIdx.x, sum = 0;
    for (unsigned k = 0; k < 2; k++) {
        __pipeline_memcpy_async(&stage[k][t], &x[64 * k + t], sizeof(unsigned));
        __pipeline_commit();
    }
    for (unsigned k = 0; k < 3; k++) {
        if (k < 2)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(0);
        __syncthreads();
        sum += stage[k % 2][63 - t];
        __syncthreads();
        if (k == 0)
            __pipeline_memcpy_async(&stage[0][t], &x[128 + t], sizeof(unsigned));
        __pipeline_commit();
    }
    y[t] = sum;
}
