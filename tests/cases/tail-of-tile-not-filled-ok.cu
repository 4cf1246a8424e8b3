// The rest of the tile is filled with zeros.
// launch: kernel=tile_sum grid=1 block=64 args=x:u32[48]=1,y:u32[64]=0,n:u32=48
// expect: clean
// final: y[t]==(t>15 ? 1 : 0) for t=0..63
extern "C" __global__ void tile_sum(const unsigned *x, unsigned *y, unsigned n)
{
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x;
    tile[t] = t < n ? x[t] : 0;
    __syncthreads();
    y[t] = tile[63 - t];
}
