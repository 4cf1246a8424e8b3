// The block reads back by __ldg() what its threads have just written; the read-only path may have
// older data, with or without a barrier.
// launch: kernel=pairs grid=1 block=64 args=part:u32[64]=0,y:u32[64]=0
// expect: nc-load-of-written-data
// where: 10,12
// final: y[t]==63 for t=0..63
extern "C" __global__ void pairs(unsigned *part, unsigned *y)
{
    unsigned t = threadIdx.x;
    part[t] = t;
    __syncthreads();
    y[t] = t + __ldg(&part[63 - t]);
}
