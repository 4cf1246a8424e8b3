// The first element has no left neighbour; the unsigned index wraps around.
// launch: kernel=left_sum grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: out-of-bounds
// where: 9,9
// final: y[t]==2*t-1 for t=1..31
extern "C" __global__ void left_sum(const unsigned *x, unsigned *y)
{
    unsigned t = threadIdx.x;
        y[t] = x[t] + x[t - 1];
}
