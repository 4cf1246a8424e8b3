// A tile is written by ordinary stores and then stored by a bulk copy, which reads it through the
// async proxy. The barrier alone does not make the stores visible there.
// launch: kernel=store_tile grid=1 block=32 args=out:u32[32]=0
// expect: proxy-fence-missing
// where: 11,15
// final: out[t]==5*t for t=0..31
extern "C" __global__ void store_tile(unsigned *out)
{
    __shared__ alignas(128) unsigned tile[32];
    unsigned t = threadIdx.x;
    tile[t] = 5 * t;
    __syncthreads();
    if (t == 0) {
        unsigned from = (unsigned)__cvta_generic_to_shared(tile);
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out), "r"(from) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
