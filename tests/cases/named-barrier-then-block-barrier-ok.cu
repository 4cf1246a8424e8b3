// A barrier of two warps, and behind it the barrier of the whole block.
// launch: kernel=handoff grid=1 block=32,4 args=out:u32[128]=0
// expect: clean
// final: out[t]==5 for t=0..31
// final: out[t]==0 for t=32..127
extern "C" __global__ void handoff(unsigned *out)
{
    __shared__ unsigned value[32];
    unsigned warp = threadIdx.y, lane = threadIdx.x, seen = 0;
    if (warp == 1)
        value[lane] = 5;
    if (warp < 2) {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        if (warp == 0)
            seen = value[lane];
    }
    __syncthreads();
    out[32 * warp + lane] = seen;
}
