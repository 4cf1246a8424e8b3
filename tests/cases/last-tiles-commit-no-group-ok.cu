// The last rounds commit an empty group.
// launch: kernel=loop grid=1 block=32 args=x:u32[128]=iota,out:u32[128]=0
// expect: clean
// final: out[i]==i for i=0..127
#include <cuda_pipeline.h>
extern "C" __global__ void loop(const unsigned *x, unsigned *out)
{
    __shared__ unsigned tile[2][32];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][t], &x[t], 4);
    __pipeline_commit();
    for (unsigned k = 0; k < 4; k++) {
        if (k + 1 < 4) {
            __pipeline_memcpy_async(&tile[(k + 1) & 1][t], &x[32 * (k + 1) + t], 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[32 * k + 31 - t] = tile[k & 1][31 - t];
        __syncthreads();
    }
}
