// The thread waits until the source has been read before it exits.
// launch: kernel=write_tile grid=1 block=32 args=y:u32[32]=0
// expect: clean
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
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
