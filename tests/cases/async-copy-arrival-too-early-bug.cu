// The producers issue cp.async and then arrive at the mbarrier by an ordinary arrival, which does
// not wait for the copies.
// launch: kernel=fetch grid=1 block=64 args=x:u32[32]=iota,y:u32[32]=0
// expect: async-not-waited
// where: 17,23
// final: y[t]==31-t for t=0..31
extern "C" __global__ void fetch(const unsigned *x, unsigned *y)
{
    __shared__ unsigned tile[32];
    __shared__ unsigned long long full;
    unsigned t = threadIdx.x % 32, bar = (unsigned)__cvta_generic_to_shared(&full), done = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(bar) : "memory");
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned to = (unsigned)__cvta_generic_to_shared(&tile[t]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + t) : "memory");
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    } else {
        while (!done)
            asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                         " selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(bar) : "memory");
        y[t] = tile[31 - t];
    }
}
