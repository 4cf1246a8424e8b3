// The block meets before its leader raises the flag.
// launch: kernel=stream_k coop=1 grid=2 block=64 args=part:f32[64]=0,flag:u32[1]=0,c:f32[64]=0
// expect: clean
// final: c[t]==3*t for t=0..63
extern "C" __global__ void stream_k(float *part, unsigned *flag, float *c)
{
    unsigned t = threadIdx.x;
    float mine = blockIdx.x == 0 ? t : 2 * t;
    if (blockIdx.x == 1) {
        part[t] = mine;
        __syncthreads();
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
