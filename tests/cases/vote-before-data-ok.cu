// __syncthreads_or() stands between the stores and the loads; it is a block barrier, too.
// launch: kernel=any_big grid=1 block=64 args=x:u32[64]=iota,y:u32[64]=0
// expect: clean
// final: y[t]==63-t for t=0..63
extern "C" __global__ void any_big(const unsigned *x, unsigned *y)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = x[t];
    int any = __syncthreads_or(x[t] > 60);
    y[t] = any ? s[63 - t] : 0;
}
