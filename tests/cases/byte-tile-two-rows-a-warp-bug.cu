// Two rows of 16 pixels are one warp, the row below is another warp's; a warp barrier is not
// enough.
// launch: kernel=dilate grid=1 block=16,4 args=in:u8[64]=1,out:u8[64]=0
// expect: barrier-missing
// where: 11,15,17
// final: out[i]==((i<16||i>=48)?2:3) for i=0..63
extern "C" __global__ void dilate(const unsigned char *in, unsigned char *out)
{
    __shared__ unsigned char tile[4][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 16 + x];
    __syncwarp();
    unsigned char sum = tile[y][x];
    if (y > 0)
        sum += tile[y - 1][x];
    if (y < 3)
        sum += tile[y + 1][x];
    out[y * 16 + x] = sum;
}
