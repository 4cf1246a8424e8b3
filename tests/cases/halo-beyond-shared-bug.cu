// The last thread reads the element behind the end of the shared array.
// launch: kernel=differences grid=1 block=64 args=x:u32[65]=iota,y:u32[64]=0
// expect: out-of-bounds
// accept: uninitialised
// where: 13,13
// final: y[t]==1 for t=0..63
extern "C" __global__ void differences(const unsigned *x, unsigned *y)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[t + 1] - s[t];
}
