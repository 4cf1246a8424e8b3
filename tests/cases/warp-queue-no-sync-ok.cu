// The place is handed out by __shfl_sync(), a register exchange.
// launch: kernel=enqueue grid=1 block=32 args=count:u32[1]=0,items:u32[32]=0
// expect: clean
// final: items[t]==t+1 for t=0..31
extern "C" __global__ void enqueue(unsigned *count, unsigned *items)
{
    unsigned base = 0;
    unsigned t = threadIdx.x;
    if (t == 0)
        base = atomicAdd(count, 32);
    items[__shfl_sync(0xffffffffu, base, 0) + t] = t + 1;
}
