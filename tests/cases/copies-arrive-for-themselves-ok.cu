// The copies of each thread arrive at the mbarrier when they are done; it counts one for each thread.
// launch: kernel=copies grid=1 block=64 args=x:u32[32]=iota,y:u32[32]=0
// expect: clean
// final: y[k] == 31 - k for k=0..31
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(bar)), "r"(count) : "memory");
}

__device__ void wait(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra WAIT;\nDONE:\n}" ::"r"(place(bar)),
               "r"(parity)
               : "memory");
}

__shared__ uint32_t tile[32];
__shared__ uint64_t full;

extern "C" __global__ void copies(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x;
  if (t == 0)
    init(&full, 32);
  __syncthreads();
  if (t < 32) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place(&tile[t])), "l"(x + t)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(place(&full))
                 : "memory");
    return;
  }
  wait(&full, 0);
  y[t - 32] = tile[63 - t];
}
