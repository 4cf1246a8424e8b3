// The warp comes together again before it reads the stage.
// launch: kernel=ring grid=1 block=64 args=x:u32[128]=iota,out:u32[64]=0
// expect: clean
// final: out[t]==t for t=0..63
#include <cuda/ptx>
__device__ void await(unsigned bar, unsigned parity)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, 0x989680; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
extern "C" __global__ void __launch_bounds__(64) ring(const unsigned *x, unsigned *out)
{
    __shared__ alignas(128) unsigned tile[64];
    __shared__ alignas(8) unsigned long long full;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&full), t = threadIdx.x, elected;
    unsigned dst = (unsigned)__cvta_generic_to_shared(tile);
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(elected));
    if (t < 32 && elected) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t < 32 && elected) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(bar) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                     ::"r"(dst), "l"(x), "r"(bar) : "memory");
    }
        await(bar, 0);
    out[t] = tile[t];
}
