// A counter between two stores does not say which of them is the last one, though fences lie there.
// launch: kernel=last grid=2 block=1 args=y:u32[1]={0},z:u32[1]={0}
// final: z[0] == 1 || z[0] == 2
// expect: clean
#include <cuda/atomic>
extern "C" __global__ void last(unsigned *y, unsigned *z) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> ay(*y), az(*z);
  if (blockIdx.x == 0) {
    az.store(2, cuda::std::memory_order_relaxed);
    __threadfence();
    ay.fetch_add(1, cuda::std::memory_order_relaxed);
  } else {
    ay.fetch_add(1, cuda::std::memory_order_relaxed);
    __threadfence();
    az.store(1, cuda::std::memory_order_relaxed);
  }
}
