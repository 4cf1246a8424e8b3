// Stream-K fix-up: one thread raises the flag of a partial tile while others of its block still store theirs.
// launch: kernel=stream_k coop=1 grid=2 block=64 args=part:f32[64]=0,flag:u32[1]=0,c:f32[64]=0
// expect: barrier-missing
// accept: data-race
// where: 12,25
// final: c[t]==3*t for t=0..63
extern "C" __global__ void stream_k(float *part, unsigned *flag, float *c)
{
    unsigned t = threadIdx.x;
    float mine = blockIdx.x == 0 ? t : 2 * t;
    if (blockIdx.x == 1) {
        part[t] = mine;
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
        return;
    }
    if (t == 0) {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence();
    }
    __syncthreads();
    c[t] = mine + part[t];
}
