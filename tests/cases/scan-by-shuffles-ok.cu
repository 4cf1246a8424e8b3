// A scan of the first 12 lanes: those without a lower neighbour get their own value back, which they leave aside.
// launch: kernel=scan grid=1 block=32 args=x:u32[12]=1,y:u32[12]=0
// expect: clean
// final: y[t]==t+1 for t=0..11
extern "C" __global__ void scan(const unsigned *x, unsigned *y)
{
    unsigned t = threadIdx.x;
    if (t >= 12)
        return;
    unsigned v = x[t], mask = __activemask();
    for (unsigned d = 1; d < 12; d *= 2) {
        unsigned lower = __shfl_up_sync(mask, v, d);
        v += t >= d ? lower : 0;
    }
    y[t] = v;
}
