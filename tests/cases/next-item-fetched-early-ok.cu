// A persistent kernel fetches work items; the leader may fetch the next one before all threads have
// read this one.
// launch: kernel=pq grid=2 block=32 args=next:u32[1]=0,in:u32[96]=iota,out:u32[96]=0
// expect: clean
// final: out[i] == 2 * i for i=0..95
extern "C" __global__ void pq(unsigned *next, const unsigned *in, unsigned *out)
{
    __shared__ unsigned item;
    for (;;) {
        if (threadIdx.x == 0)
            item = atomicAdd(next, 1);
        __syncthreads();
        unsigned i = item;
        if (i >= 3) break;
        out[32 * i + threadIdx.x] = 2 * in[32 * i + threadIdx.x];
         __syncthreads();
    }
}
