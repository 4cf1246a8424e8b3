// The loop over the partial sums ends one too early.
// launch: kernel=total grid=1 block=64 args=x:u32[64]=iota,sum:u32[1]=0
// expect: assert
// where: 5,5
// final: sum[0]==2016
extern "C" __global__ void total(const unsigned *x, unsigned *sum)
{
    __shared__ unsigned part[2];
    unsigned t = threadIdx.x, warp_sum = __reduce_add_sync(0xffffffffu, x[t]);
    if (t % 32 == 0)
        part[t / 32] = warp_sum;
    __syncthreads();
    if (t == 0) {
        unsigned all = 0;
        for (unsigned w = 0; w < blockDim.x / 32 - 1; w++)
            all += part[w];
        sum[0] = all;
    }
}
