// A second barrier ends the use of the tile before the next round.
// launch: kernel=add_tiles grid=1 block=64 args=x:u32[128]=iota,sum:u32[64]=0
// expect: clean
// final: sum[t]==190-2*t for t=0..63
extern "C" __global__ void add_tiles(const unsigned *x, unsigned *sum)
{
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x, total = 0;
    for (unsigned k = 0; k < 2; k++) {
        tile[t] = x[64 * k + t];
        __syncthreads();
        total += tile[63 - t];
        __syncthreads();
    }
    sum[t] = total;
}
