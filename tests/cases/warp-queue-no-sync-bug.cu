// Lane 0 reserves room in a queue for the whole warp and tells the others through shared memory,
// without a warp barrier.
// launch: kernel=enqueue grid=1 block=32 args=count:u32[1]=0,items:u32[32]=0
// expect: warp-sync-missing
// where: 12,13
// final: items[t]==t+1 for t=0..31
extern "C" __global__ void enqueue(unsigned *count, unsigned *items)
{
    __shared__ unsigned base;
    unsigned t = threadIdx.x;
    if (t == 0)
        base = atomicAdd(count, 32);
    items[base + t] = t + 1;
}
