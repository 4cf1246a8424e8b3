// Repaired: two warps store partial sums, only warp 0 fences and counts, without waiting for warp
// 1.
// launch: kernel=total grid=2 block=64 args=x:u32[128]=1,part:u32[4]=0,count:u32[1]=0,out:u32[1]=0
// expect: clean
// final: out[0]==128
extern "C" __global__ void total(const unsigned *x, unsigned *part, unsigned *count, unsigned *out)
{
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, me = blockIdx.x * 2 + warp;
    unsigned v = __reduce_add_sync(~0u, x[blockIdx.x * 64 + threadIdx.x]);
    if (lane == 0)
        part[me] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            unsigned sum = 0;
            for (unsigned i = 0; i < 2 * gridDim.x; i++)
                sum += part[i];
            *out = sum;
        }
    }
}
