// The second block looks back with a whole warp, one lane for each block before. The states are
// volatile, but the sums that they announce are plain and no fence lies between.
// launch: kernel=warp_look_back grid=2 block=32 coop=1 args=x:u32[64]=1,y:u32[64]=0,sum:u32[2]=0,state:u32[2]=0
// expect: volatile-flag
// accept: release-missing,acquire-missing
// where: 18,26
// final: y[i]==i+1 for i=0..63
extern "C" __global__ void warp_look_back(const unsigned *x, unsigned *y, unsigned *sum,
                                          volatile unsigned *state)
{
    unsigned t = threadIdx.x, b = blockIdx.x, v = x[32 * b + t];
    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned lower = __shfl_up_sync(0xffffffffu, v, d);
        if (t >= d)
            v += lower;
    }
    if (t == 31) {
        sum[b] = v;
        state[b] = 1;
    }
    // Lane t looks at block b - 1 - t, if there is one.
    unsigned seen;
    do
        seen = t < b ? state[b - 1 - t] : 1;
    while (!__all_sync(0xffffffffu, seen == 1));
    unsigned part = t < b ? sum[b - 1 - t] : 0;
    y[32 * b + t] = v + __reduce_add_sync(0xffffffffu, part);
}
