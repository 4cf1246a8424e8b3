// The last block sums up the parts and clears the counter for the next launch. The next launch is a dependent one
// that waits for the first before it counts.
// launch: kernel=sum grid=2 block=32 args=x:u32[64]=1,part:u32[2]=0,count=C:u32[1]=0,y=Y:u32[1]=0
// launch: kernel=sum grid=2 block=32 pdl=1 args=x:u32[64]=1,part=Q:u32[2]=0,count=C:u32[1]=0,y=Z:u32[1]=0
// relation: pdl
// expect: clean
// final: Y[0] == 64 && Z[0] == 64
extern "C" __global__ void sum(const unsigned *x, volatile unsigned *part, unsigned *count, unsigned *y)
{
    unsigned t = threadIdx.x, value = x[32 * blockIdx.x + t];
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    value = __reduce_add_sync(~0u, value);
    if (t != 0)
        return;
    part[blockIdx.x] = value;
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        __threadfence();
        *y = part[0] + part[1];
        atomicExch(count, 0);
    }
}
