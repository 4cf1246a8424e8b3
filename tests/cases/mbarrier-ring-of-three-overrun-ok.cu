// Three stages; the producer waits for the wrong parity in its first pass and so runs one pass ahead
// afterwards.
// launch: kernel=ring3 grid=1 block=64 args=out:u32[224]=0
// expect: clean
// final: out[32*k + t] == 100*k + t for k=0..6, t=0..31
#include <cuda/std/cstdint>
__device__ unsigned sp(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait(unsigned b, unsigned parity)
{
    asm volatile("{\n.reg .pred P;\nLOOP:\nmbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1;\n@P bra DONE;\nbra LOOP;\nDONE:\n}" ::"r"(b), "r"(parity) : "memory");
}
__device__ void arrive(unsigned b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory"); }
extern "C" __global__ void ring3(unsigned *out)
{
    __shared__ alignas(8) unsigned long long full[3], empty[3];
    __shared__ unsigned buf[3][32];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 3; i++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(sp(full + i)) : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(sp(empty + i)) : "memory");
        }
    }
    __syncthreads();
    unsigned t = threadIdx.x & 31, stage = 0, phase = 0;
    if (threadIdx.x < 32) {
        for (unsigned k = 0; k < 7; k++) {
             wait(sp(empty + stage), phase ^ 1);
            buf[stage][t] = 100 * k + t;
            arrive(sp(full + stage));
            if (++stage == 3) { stage = 0; phase ^= 1; }
        }
    } else {
        for (unsigned k = 0; k < 7; k++) {
            wait(sp(full + stage), phase);
            out[32 * k + 31 - t] = buf[stage][31 - t];
            arrive(sp(empty + stage));
            if (++stage == 3) { stage = 0; phase ^= 1; }
        }
    }
}
// run: no, the producer is seldom just so far ahead
