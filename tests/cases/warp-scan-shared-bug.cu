// A scan of one warp through shared memory relies on the lanes running in lock step.
// launch: kernel=warp_scan grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: warp-sync-missing
// where: 13,14
// final: y[t]==t*(t+1)/2 for t=0..31
extern "C" __global__ void warp_scan(const unsigned *x, unsigned *y)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned lower = t >= d ? s[t - d] : 0;
        s[t] += lower;
    }
    y[t] = s[t];
}
