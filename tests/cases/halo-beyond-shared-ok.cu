// The array has an element more.
// launch: kernel=differences grid=1 block=64 args=x:u32[65]=iota,y:u32[64]=0
// expect: clean
// final: y[t]==1 for t=0..63
extern "C" __global__ void differences(const unsigned *x, unsigned *y)
{
    __shared__ unsigned s[65];
    unsigned t = threadIdx.x;
    s[t] = x[t];
    if (t == 0)
        s[64] = x[64];
    __syncthreads();
    y[t] = s[t + 1] - s[t];
}
