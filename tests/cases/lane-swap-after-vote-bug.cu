// Two lanes swap values through shared memory. The vote between brings the lanes together, but
// orders no memory.
// launch: kernel=swap_pairs grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: warp-sync-missing
// where: 11,14
// final: y[t]==(t^1) for t=0..31
extern "C" __global__ void swap_pairs(const unsigned *x, unsigned *y)
{
    __shared__ unsigned box[32];
    unsigned t = threadIdx.x;
    box[t] = x[t];
    if (__all_sync(0xffffffffu, x[t] > 31))
        return;
    y[t] = box[t ^ 1];
}
