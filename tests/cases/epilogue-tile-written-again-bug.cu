// The tile is written again while the bulk store before may still read it.
// launch: kernel=epilogue grid=1 block=32 args=x:u32[64]=iota,y:u32[64]=0
// expect: data-race
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void store(void *to, const void *from, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(place(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

__device__ void drain() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__device__ void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__shared__ alignas(16) uint32_t tile[32];

extern "C" __global__ void epilogue(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    tile[t] = 2 * x[32 * i + t];
    fence();
    __syncthreads();
    if (t == 0) {
      store(y + 32 * i, tile, 128);
    }
    __syncthreads();
  }
  if (t == 0)
    drain();
}
