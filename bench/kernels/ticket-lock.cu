// A ticket lock: everybody's atomicAdd has a result, and each order of tickets is another execution.
#include <cuda/atomic>
extern "C" __global__ void ticket(unsigned *next, unsigned *serving, unsigned *data) {
  unsigned mine = atomicAdd(next, 1u);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> s(*serving);
  while (s.load(cuda::memory_order_acquire) != mine) ;
  data[0] += 1;
  s.store(mine + 1, cuda::memory_order_release);
}
