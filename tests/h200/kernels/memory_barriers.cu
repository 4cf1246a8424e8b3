// A ring of four slots between a producer and a consumer warp, each slot with two memory barriers.
// launch: kernel=memory_barriers grid=1 block=64 args=out:u32[640]=0
#define OPERATE(text, slot) asm volatile(text ::"r"((unsigned)__cvta_generic_to_shared(slot)) : "memory")
__device__ void wait(unsigned long long *barrier, unsigned parity) {
  unsigned done;
  do
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(parity) : "memory");
  while (!done);
}
extern "C" __global__ void memory_barriers(unsigned *out) {
  __shared__ unsigned long long full[4], empty[4];
  __shared__ unsigned slot[4][32];
  unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 4) {
    OPERATE("mbarrier.init.shared::cta.b64 [%0], 32;", full + threadIdx.x);
    OPERATE("mbarrier.init.shared::cta.b64 [%0], 32;", empty + threadIdx.x);
  }
  __syncthreads();
  for (unsigned i = 0; i < 20; i++) {
    unsigned s = i % 4, round = i / 4;
    if (threadIdx.x < 32) {
      if (round > 0)
        wait(empty + s, (round - 1) % 2);
      slot[s][lane] = i * 1000 + lane;
      OPERATE("mbarrier.arrive.shared::cta.b64 _, [%0];", full + s);
    } else {
      wait(full + s, round % 2);
      out[i * 32 + lane] = slot[s][lane ^ 5];
      OPERATE("mbarrier.arrive.shared::cta.b64 _, [%0];", empty + s);
    }
  }
}
