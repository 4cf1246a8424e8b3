// Each round has one phase only: the tile is written again while others still read it.
// launch: kernel=states grid=1 block=64 args=x:u32[128]=iota,y:u32[128]=0
// expect: data-race
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(bar)), "r"(count) : "memory");
}

__shared__ uint32_t tile[64];
__shared__ uint64_t full;

// The consumers are the second warp; the state of its own arrival tells each thread what to wait
// for.
__device__ uint64_t arrive_for(uint64_t *bar) {
  uint64_t state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
               : "=l"(state)
               : "r"(place(bar))
               : "memory");
  return state;
}

__device__ void wait_for(uint64_t *bar, uint64_t state) {
  asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.test_wait.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra WAIT;\nDONE:\n}" ::"r"(place(bar)),
               "l"(state)
               : "memory");
}

extern "C" __global__ void states(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x;
  if (t == 0)
    init(&full, 64);
  __syncthreads();
  for (int i = 0; i < 2; i++) {
    tile[t] = x[64 * i + t];
    uint64_t state = arrive_for(&full);
    wait_for(&full, state);
    y[64 * i + t] = tile[63 - t];
  }
}
