// __syncthreads_or() stands before the stores that it should separate from the loads.
// launch: kernel=any_big grid=1 block=64 args=x:u32[64]=iota,y:u32[64]=0
// expect: barrier-missing
// where: 11,12
// final: y[t]==63-t for t=0..63
extern "C" __global__ void any_big(const unsigned *x, unsigned *y)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    int any = __syncthreads_or(x[t] > 60);
    s[t] = x[t];
    y[t] = any ? s[63 - t] : 0;
}
