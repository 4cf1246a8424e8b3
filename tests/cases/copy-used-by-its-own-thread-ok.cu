// Each thread copies one word for itself, waits for it and uses it. Nobody else is concerned, so that no
// barrier is needed.
// launch: kernel=twice grid=1 block=32 args=x:u32[32]=iota,y:u32[32]=0
// expect: clean
// final: y[i] == 2 * i for i=0..31
#include <cstdint>

__shared__ uint32_t tile[32];

extern "C" __global__ void twice(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x;
  uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[t]));

  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + t) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  y[t] = 2 * tile[t];
}
