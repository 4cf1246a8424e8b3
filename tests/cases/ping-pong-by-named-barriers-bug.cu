// Two warps take turns by two named barriers. One lets the other in before it has done.
// launch: kernel=ping_pong grid=1 block=64 args=y:u32[32]=0
// expect: data-race
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__shared__ uint32_t word[32];

__device__ void turn(uint32_t id) {
  asm volatile("barrier.sync %0, 64;" ::"r"(id) : "memory");
}

__device__ void next(uint32_t id) {
  asm volatile("barrier.arrive %0, 64;" ::"r"(id) : "memory");
}

// Barrier 1 lets the first warp in, barrier 2 the second.
extern "C" __global__ void ping_pong(uint32_t *y) {
  uint32_t t = threadIdx.x, warp = t / 32, lane = t % 32;
  if (warp == 1) {
    word[lane] = lane;
    next(1);
  }
  for (int i = 0; i < 2; i++) {
    turn(1 + warp);
    if (warp == 0 || i == 0)
      next(2 - warp);
    word[31 - lane] += 1 + warp;
    __syncwarp();
  }
  if (warp == 1)
    y[lane] = word[lane];
}
