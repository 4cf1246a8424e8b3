// The bins in shared memory are cleared by some threads, while others already count.
// launch: kernel=block_histogram grid=1 block=64 args=x:u32[64]=iota,y:u32[2]=0
// expect: barrier-missing
// accept: no-synchronisation,warp-sync-missing
// where: 12,13
// final: y[0]==32 && y[1]==32
extern "C" __global__ void block_histogram(const unsigned *x, unsigned *y)
{
    __shared__ unsigned bin[2];
    unsigned t = threadIdx.x;
    if (t < 2)
        bin[t] = 0;
    atomicAdd(&bin[x[t] % 2], 1);
    __syncthreads();
    if (t < 2)
        y[t] = bin[t];
}
