// Partial sums lie in shared memory, written by ordinary stores, and a bulk reduction adds them
// to global memory through the async proxy, without a proxy fence.
// launch: kernel=add_tile grid=1 block=32 args=sum:u32[32]=iota
// expect: proxy-fence-missing
// where: 11,15
// final: sum[t]==t+1 for t=0..31
extern "C" __global__ void add_tile(unsigned *sum)
{
    __shared__ alignas(128) unsigned tile[32];
    unsigned t = threadIdx.x;
    tile[t] = 1;
    __syncthreads();
    if (t == 0) {
        unsigned from = (unsigned)__cvta_generic_to_shared(tile);
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 128;" ::"l"(sum), "r"(from) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
