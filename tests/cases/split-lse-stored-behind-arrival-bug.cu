// Flash decoding: the sum of exponents of a split is stored behind the count that tells of the split.
// launch: kernel=decode coop=1 grid=2 block=32 args=o:f32[64]=0,lse:f32[2]=0,done:u32[1]=0,out:f32[32]=0
// expect: data-race
// where: 16,21
// final: out[t]==3*t for t=0..31
extern "C" __global__ void decode(float *o, float *lse, unsigned *done, float *out)
{
    __shared__ unsigned last;
    unsigned t = threadIdx.x, split = blockIdx.x;
    o[32 * split + t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicAdd(done, 1) == gridDim.x - 1;
    if (t == 0)
        lse[split] = split + 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    out[t] = o[t] * lse[0] + o[32 + t] * lse[1];
    if (t == 0)
        *done = 0;
}
