// A warp leaves after an arrival that does not drop out: the next phase waits for it for ever.
// launch: kernel=drop grid=1 block=64 args=x:u32[64]=iota,y:u32[32]=0
// expect: deadlock
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(bar)), "r"(count) : "memory");
}

__device__ void arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(bar)) : "memory");
}

__device__ void wait(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra WAIT;\nDONE:\n}" ::"r"(place(bar)),
               "r"(parity)
               : "memory");
}

__shared__ uint32_t tile[64];
__shared__ uint64_t full;

__device__ void leave(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(bar)) : "memory");
}

extern "C" __global__ void drop(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x;
  if (t == 0)
    init(&full, 64);
  __syncthreads();
  tile[t] = x[t];
  if (t >= 32) {
    leave(&full);
    return;
  }
  arrive(&full);
  wait(&full, 0);
  uint32_t sum = tile[t + 32];
  arrive(&full);
  wait(&full, 1);
  y[t] = sum;
}
