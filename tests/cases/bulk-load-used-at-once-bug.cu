// A bulk copy fills the tile, but the threads pass only the block barrier and never wait on the
// mbarrier that tells its end.
// launch: kernel=load_tile grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: async-not-waited
// where: 16,19
// final: y[t]==31-t for t=0..31
extern "C" __global__ void load_tile(const unsigned *x, unsigned *y)
{
    __shared__ alignas(128) unsigned tile[32];
    __shared__ unsigned long long loaded;
    unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&loaded);
    if (t == 0) {
        unsigned to = (unsigned)__cvta_generic_to_shared(tile);
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(bar) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(to), "l"(x), "r"(bar) : "memory");
    }
    __syncthreads();
    y[t] = tile[31 - t];
}
