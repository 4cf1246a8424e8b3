// The producers arrive at the mbarrier with relaxed order, which tells the consumers nothing
// about the data.
// launch: kernel=relaxed_feed grid=1 block=64 args=y:u32[32]=0
// expect: release-missing
// accept: no-synchronisation,barrier-missing
// where: 17,23
// final: y[t]==4*t for t=0..31
extern "C" __global__ void relaxed_feed(unsigned *y)
{
    __shared__ unsigned long long full;
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x % 32, bar = (unsigned)__cvta_generic_to_shared(&full), done = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(bar) : "memory");
    __syncthreads();
    if (threadIdx.x < 32) {
        s[t] = 4 * t;
        asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    } else {
        while (!done)
            asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                         " selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(bar) : "memory");
        y[t] = s[t];
    }
}
