// Threads count by compare-and-swap.
#include <cuda/atomic>
extern "C" __global__ void count(unsigned *sum) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*sum);
  unsigned seen = counter.load(cuda::memory_order_relaxed);
  while (!counter.compare_exchange_weak(seen, seen + 1, cuda::memory_order_relaxed)) {}
}
