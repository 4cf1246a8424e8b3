// Each half of the warp waits for itself alone, but reads what the other half wrote.
// launch: kernel=cross_halves grid=1 block=32 args=y:u32[32]=0
// expect: warp-sync-missing
// where: 10,12
// final: y[t]==31-t for t=0..31
extern "C" __global__ void cross_halves(unsigned *y)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    s[t] = t;
    __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
    y[t] = s[31 - t];
}
