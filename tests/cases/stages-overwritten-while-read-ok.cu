// Behind the use of a stage a barrier lets all threads copy to it again.
// launch: kernel=stages grid=1 block=64 args=x:u32[256]=iota,y:u32[64]=0
// expect: clean
// final: y[k] == 4 * (63 - k) + 384 for k=0..63
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void copy(uint32_t *to, const uint32_t *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place(to)), "l"(from) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
}

enum { STAGES = 2, TILES = 4 };

__shared__ uint32_t tile[STAGES][64];

extern "C" __global__ void stages(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x, sum = 0;
  copy(&tile[0][t], x + t);
  for (int i = 0; i < TILES; i++) {
    if (i + 1 < TILES)
      copy(&tile[(i + 1) % STAGES][t], x + 64 * (i + 1) + t);
    if (i + 1 < TILES)
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    else
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    sum += tile[i % STAGES][63 - t];
    __syncthreads();
  }
  y[t] = sum;
}
