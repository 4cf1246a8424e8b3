// Each thread puts a proxy fence for global memory behind its stores.
// launch: kernel=shuffle_rows grid=1 block=32 args=scratch:u32[32]=0,y:u32[32]=0
// expect: clean
// final: y[t]==31-t for t=0..31
extern "C" __global__ void shuffle_rows(unsigned *scratch, unsigned *y)
{
    __shared__ alignas(128) unsigned tile[32];
    __shared__ unsigned long long loaded;
    unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&loaded), done = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    scratch[31 - t] = t;
    asm volatile("fence.proxy.async.global;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        unsigned to = (unsigned)__cvta_generic_to_shared(tile);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(bar) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(to), "l"(scratch), "r"(bar) : "memory");
    }
    while (!done)
        asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     " selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(bar) : "memory");
    y[t] = tile[t];
}
