// Memory of a thread's stack of a size that only it knows; arrivals that a state of an mbarrier still waits for.
// launch: kernel=stack_and_counts grid=1 block=32 args=out:u32[128]=0
extern "C" __global__ void stack_and_counts(unsigned *out) {
  __shared__ unsigned long long barrier;
  unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&barrier), count, sum = 0;
  unsigned long long state, saved, at;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 40;" ::"r"(bar) : "memory");
    for (unsigned i = 0; i < 5; i++) {
      asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(bar), "r"(i + 1) : "memory");
      asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
      out[64 + i] = count;
    }
  }
  asm volatile("stacksave.u64 %0;" : "=l"(saved));
  for (unsigned round = 0; round < 3; round++) {
    unsigned long long bytes = 16 * (t % 4 + round + 1);
    asm volatile("alloca.u64 %0, %1, 16;" : "=l"(at) : "l"(bytes) : "memory");
    for (unsigned i = 0; i < bytes; i += 4)
      asm volatile("st.local.u32 [%0], %1;" ::"l"(at + i), "r"(i * 7 + t + round) : "memory");
    for (unsigned i = 0; i < bytes; i += 4) {
      unsigned word;
      asm volatile("ld.local.u32 %0, [%1];" : "=r"(word) : "l"(at + i) : "memory");
      sum = sum * 31 + word;
    }
    if (round == 1)
      asm volatile("stackrestore.u64 %0;" ::"l"(saved) : "memory");
    out[32 * (round & 1) + t] = sum;
  }
  out[96 + t] = (unsigned)(at & 15);
}
