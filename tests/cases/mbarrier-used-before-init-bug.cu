// Thread 0 initialises the mbarrier, and the others arrive at it without having waited for that.
// launch: kernel=meet grid=1 block=64 args=y:u32[64]=0
// expect: uninitialised
// accept: data-race,deadlock
// where: 13,15
// final: y[t]==63-t for t=0..63
extern "C" __global__ void meet(unsigned *y)
{
    __shared__ unsigned long long met;
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&met), done = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(bar) : "memory");
    s[t] = t;
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    while (!done)
        asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     " selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(bar) : "memory");
    y[t] = s[63 - t];
}
