// A producer warp and a consumer warp share a ring of two slots. The consumer waits for full
// slots, but the producer never waits for empty ones and overwrites the first in the third round.
// launch: kernel=ring grid=1 block=64 args=y:u32[96]=0
// expect: barrier-missing
// accept: data-race,deadlock
// where: 13,36,40
// final: y[32*k+t]==100*k+t for k=0..2, t=0..31
__device__ static void wait(unsigned bar, unsigned parity)
{
    unsigned done;
    do
        asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     " selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    while (!done);
}

__device__ static void arrive(unsigned bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}

extern "C" __global__ void ring(unsigned *y)
{
    __shared__ unsigned long long full[2], empty[2];
    __shared__ unsigned slot[2][32];
    unsigned t = threadIdx.x % 32;
    unsigned full_bar = (unsigned)__cvta_generic_to_shared(full), empty_bar = (unsigned)__cvta_generic_to_shared(empty);
    if (threadIdx.x < 2) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(full_bar + 8 * t) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(empty_bar + 8 * t) : "memory");
    }
    __syncthreads();
    for (unsigned k = 0; k < 3; k++) {
        unsigned s = k % 2, round = k / 2;
        if (threadIdx.x < 32) {
            slot[s][t] = 100 * k + t;
            arrive(full_bar + 8 * s);
        } else {
            wait(full_bar + 8 * s, round & 1);
            y[32 * k + 31 - t] = slot[s][31 - t];
            arrive(empty_bar + 8 * s);
        }
    }
}
