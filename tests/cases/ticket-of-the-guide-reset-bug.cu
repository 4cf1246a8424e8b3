// The counter of the last block is set back by whoever is first to see it full, without being last.
// launch: kernel=sum grid=3 block=32 args=x:u32[96]=1,part:u32[3]=0,count:u32[1]=0,result:u32[1]=0
// expect: data-race
// where: 13,23
// final: result[0]==96
extern "C" __global__ void sum(const unsigned *x, volatile unsigned *part, unsigned *count, volatile unsigned *result)
{
    __shared__ bool last;
    unsigned s = __reduce_add_sync(~0u, x[32 * blockIdx.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = s;
        __threadfence();
        unsigned value = atomicInc(count, gridDim.x);
        last = value >= gridDim.x - 2;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned total = 0;
        __threadfence();
        for (unsigned b = 0; b < gridDim.x; b++)
            total += part[b];
        *result = total;
        *count = 0;
    }
}
