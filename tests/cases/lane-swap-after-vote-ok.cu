// __syncwarp() orders the write before the read of the other lane.
// launch: kernel=swap_pairs grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: clean
// final: y[t]==(t^1) for t=0..31
extern "C" __global__ void swap_pairs(const unsigned *x, unsigned *y)
{
    __shared__ unsigned box[32];
    unsigned t = threadIdx.x;
    box[t] = x[t];
    if (__all_sync(0xffffffffu, x[t] > 31))
        return;
    __syncwarp();
    y[t] = box[t ^ 1];
}
