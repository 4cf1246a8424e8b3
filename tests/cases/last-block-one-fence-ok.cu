// A second fence, behind the counter, orders the reads of the parts.
// launch: kernel=maximum grid=2 block=32 args=x:u32[64]=iota,part:u32[2]=0,count:u32[1]=0,top:u32[1]=0
// expect: clean
// final: top[0]==63
extern "C" __global__ void maximum(const unsigned *x, unsigned *part, unsigned *count, unsigned *top)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned highest = __reduce_max_sync(0xffffffffu, x[i]);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = highest;
        __threadfence();
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            __threadfence();
            top[0] = max(part[0], part[1]);
        }
    }
}
