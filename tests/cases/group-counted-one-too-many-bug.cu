// Three stages of cp.async in flight, waited for by `wait_prior`. At the end no more groups are committed, and the
// number that may be pending is one too many.
// launch: kernel=multistage grid=1 block=32 args=x:u32[128]=iota,y:u32[32]=0
// expect: async-not-waited
// accept: uninitialised
// where: 16,23,26
// final: y[i] == 4*(31-i) + 192 for i=0..31
#include <cuda_pipeline.h>
enum { STAGES = 3, TILES = 4 };

extern "C" __global__ void multistage(const unsigned *x, unsigned *y)
{
    __shared__ unsigned tile[STAGES][32];
    unsigned t = threadIdx.x, sum = 0;
    for (int s = 0; s < STAGES - 1; s++) {
        __pipeline_memcpy_async(&tile[s][t], x + 32 * s + t, 4);
        __pipeline_commit();
    }
#pragma unroll 1
    for (int k = 0; k < TILES; k++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        sum += tile[k % STAGES][31 - t];
        int next = k + STAGES - 1;
        if (next < TILES) {
            __pipeline_memcpy_async(&tile[next % STAGES][t], x + 32 * next + t, 4);
            __pipeline_commit();
        }
    }
    y[t] = sum;
}
