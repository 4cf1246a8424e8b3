// A proxy fence behind the stores lets the bulk reduction see them.
// launch: kernel=add_tile grid=1 block=32 args=sum:u32[32]=iota
// expect: clean
// final: sum[t]==t+1 for t=0..31
extern "C" __global__ void add_tile(unsigned *sum)
{
    __shared__ alignas(128) unsigned tile[32];
    unsigned t = threadIdx.x;
    tile[t] = 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        unsigned from = (unsigned)__cvta_generic_to_shared(tile);
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 128;" ::"l"(sum), "r"(from) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
