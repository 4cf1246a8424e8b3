// One thread polls for its block, and tells the others through shared memory.
#include <cuda/atomic>
extern "C" __global__ void told(unsigned *flag, unsigned *data, unsigned *out) {
  __shared__ unsigned seen;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
  unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t + 1;
    __syncthreads();
    if (t == 0) ready.store(1, cuda::memory_order_release);
    return;
  }
  for (;;) {
    if (t == 0) seen = ready.load(cuda::memory_order_acquire);
    __syncthreads();
    if (seen) break;
    __syncthreads();
  }
  out[t] = data[t];
}
