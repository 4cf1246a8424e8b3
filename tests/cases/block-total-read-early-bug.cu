// Warp leaders add to a shared total, and all threads read it at once, some before both leaders
// have added.
// launch: kernel=normalise grid=1 block=64 args=x:u32[64]=1,y:u32[64]=0
// expect: barrier-missing
// accept: no-synchronisation
// where: 17,18
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
    y[t] = x[t] * total;
}
// run: no, the cause is named after the atomics between the two
