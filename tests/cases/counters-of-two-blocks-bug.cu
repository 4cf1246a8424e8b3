// Each block adds to two counters, in opposite order, and one of them also takes what it finds. The
// orders of additions at which nobody looks are not all explored, but what follows from an exchange is.
// launch: kernel=count grid=2 block=1 args=first:u32[1]={0},second:u32[1]={0},found:u32[1]={9}
// final: found[0] == 2
// expect: assert
// accept: stale-value
#include <cuda/atomic>

extern "C" __global__ void count(unsigned *first, unsigned *second, unsigned *found) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> one(*first), two(*second);
  if (blockIdx.x == 0) {
    one.fetch_add(2, cuda::std::memory_order_acq_rel);
    two.fetch_add(2, cuda::std::memory_order_release);
  } else {
    two.fetch_add(1, cuda::std::memory_order_relaxed);
    *found = one.exchange(1, cuda::std::memory_order_acq_rel);
  }
}
