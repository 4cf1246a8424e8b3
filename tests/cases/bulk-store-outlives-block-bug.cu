// The block exits while the bulk copy still reads its shared memory.
// launch: kernel=write_tile grid=1 block=32 args=y:u32[32]=0
// expect: use-after-exit
// accept: async-not-waited
// where: 15
// final: y[t]==3*t for t=0..31
extern "C" __global__ void write_tile(unsigned *y)
{
    __shared__ __align__(128) unsigned tile[32];
    tile[threadIdx.x] = 3 * threadIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (threadIdx.x != 0)
        return;
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(y), "r"((unsigned)__cvta_generic_to_shared(tile)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
