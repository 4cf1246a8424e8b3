// One thread feeds a ring of two tiles by bulk copies; it does not wait until a tile has been read.
// launch: kernel=tmaring grid=1 block=64 args=x:u32[128]=iota,out:u32[128]=0
// expect: clean
// final: out[i] == i for i=0..127
__device__ unsigned sp(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait(unsigned b, unsigned parity)
{
    unsigned ok;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(ok) : "r"(b), "r"(parity) : "memory");
    while (!ok);
}
extern "C" __global__ void tmaring(const unsigned *x, unsigned *out)
{
    __shared__ alignas(128) unsigned s[2][32];
    __shared__ alignas(8) unsigned long long full[2], empty[2];
    unsigned t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sp(full + i)) : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(sp(empty + i)) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t >= 32) {
        if (t == 32)
            for (int k = 0; k < 4; k++) {
                 if (k >= 2) wait(sp(empty + (k & 1)), (k / 2 - 1) & 1);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(sp(full + (k & 1))) : "memory");
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
                             ::"r"(sp(s[k & 1])), "l"(x + 32 * k), "r"(sp(full + (k & 1))) : "memory");
            }
    } else {
        for (int k = 0; k < 4; k++) {
            wait(sp(full + (k & 1)), (k / 2) & 1);
            out[32 * k + t] = s[k & 1][t];
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sp(empty + (k & 1))) : "memory");
        }
    }
}
