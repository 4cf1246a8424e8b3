// A block barrier separates the writes and the reads.
// launch: kernel=reverse grid=1 block=64 args=x:u32[64]=iota,y:u32[64]=0
// expect: clean
// final: y[t]==63-t for t=0..63
extern "C" __global__ void reverse(const unsigned *x, unsigned *y)
{
    __shared__ unsigned row[64];
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = row[63 - threadIdx.x];
}
