// Threads without work exit first; a barrier does not wait for them.
// launch: kernel=reverse grid=1 block=96 args=y:u32[64]=0
// expect: clean
// final: y[t]==63-t for t=0..63
extern "C" __global__ void reverse(unsigned *y)
{
    __shared__ unsigned s[64];
    if (threadIdx.x >= 64)
        return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
