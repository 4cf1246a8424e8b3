// The second warp does two rounds and the first only one; the barrier of the second round meets
// the barrier behind the loop.
// launch: kernel=rounds grid=1 block=64 args=y:u32[64]=0
// expect: barrier-divergence
// accept: deadlock,barrier-missing
// where: 15,17
// final: y[t]==2 for t=0..63
extern "C" __global__ void rounds(unsigned *y)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = 0;
    for (unsigned round = 0; round < 1 + t / 32; round++) {
        s[t] += 1;
        __syncthreads();
    }
    __syncthreads();
    y[t] = s[63 - t];
}
