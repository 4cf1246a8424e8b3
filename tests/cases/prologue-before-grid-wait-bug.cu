// The second kernel starts early and reads what the first writes before it waits for it.
// launch: kernel=first grid=1 block=32 args=x:u32[32]=0
// launch: kernel=second grid=1 block=32 pdl=1 args=x:u32[32]=0,y:u32[32]=0
// expect: data-race
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

extern "C" __global__ void first(uint32_t *x) {
  uint32_t t = threadIdx.x;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  x[t] = 7 + t;
}

extern "C" __global__ void second(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x, weight = 2 * t;
  uint32_t other = x[31 - t];
  asm volatile("griddepcontrol.wait;" ::: "memory");
  y[t] = weight + other;
}
