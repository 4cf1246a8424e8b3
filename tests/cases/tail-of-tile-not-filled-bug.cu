// Only 48 elements are loaded into a tile of 64, and all 64 are added up.
// launch: kernel=tile_sum grid=1 block=64 args=x:u32[48]=1,y:u32[64]=0,n:u32=48
// expect: uninitialised
// where: 13,13
// final: y[t]==(t>15 ? 1 : 0) for t=0..63
extern "C" __global__ void tile_sum(const unsigned *x, unsigned *y, unsigned n)
{
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x;
    if (t < n)
        tile[t] = x[t];
    __syncthreads();
    y[t] = tile[63 - t];
}
