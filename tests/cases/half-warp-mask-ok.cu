// Both halves wait for the whole warp.
// launch: kernel=cross_halves grid=1 block=32 args=y:u32[32]=0
// expect: clean
// final: y[t]==31-t for t=0..31
extern "C" __global__ void cross_halves(unsigned *y)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    y[t] = s[31 - t];
}
