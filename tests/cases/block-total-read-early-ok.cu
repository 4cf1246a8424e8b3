// A barrier lies between the sums and the reads.
// launch: kernel=normalise grid=1 block=64 args=x:u32[64]=1,y:u32[64]=0
// expect: clean
// final: y[t]==64 for t=0..63
extern "C" __global__ void normalise(const unsigned *x, unsigned *y)
{
    __shared__ unsigned total;
    unsigned t = threadIdx.x;
    if (t == 0)
        total = 0;
    __syncthreads();
    unsigned sum = __reduce_add_sync(0xffffffffu, x[t]);
    if (t % 32 == 0)
        atomicAdd(&total, sum);
    __syncthreads();
    y[t] = x[t] * total;
}
