// The result is read back by an ordinary load.
// launch: kernel=pairs grid=1 block=64 args=part:u32[64]=0,y:u32[64]=0
// expect: clean
// final: y[t]==63 for t=0..63
extern "C" __global__ void pairs(unsigned *part, unsigned *y)
{
    unsigned t = threadIdx.x;
    part[t] = t;
    __syncthreads();
    y[t] = t + part[63 - t];
}
