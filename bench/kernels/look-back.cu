// A scan with decoupled look-back: tiles by ticket, aggregates and prefixes behind a status.
#include <cuda/atomic>
extern "C" __global__ void scan(const unsigned *in, unsigned *out, unsigned *status, unsigned *aggregate, unsigned *prefix, unsigned *next) {
  __shared__ unsigned tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(next, 1u);
  __syncthreads();
  unsigned t = tile, v = in[t * 32 + threadIdx.x];
  for (int d = 1; d < 32; d <<= 1) { unsigned u = __shfl_up_sync(~0u, v, d); if (threadIdx.x >= d) v += u; }
  if (threadIdx.x == 31) {
    unsigned sum = 0;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> mine(status[t]);
    if (t == 0) { prefix[0] = v; mine.store(2, cuda::memory_order_release); }
    else {
      aggregate[t] = v; mine.store(1, cuda::memory_order_release);
      for (int p = t - 1; p >= 0; p--) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> its(status[p]);
        unsigned s;
        while ((s = its.load(cuda::memory_order_acquire)) == 0) ;
        if (s == 2) { sum += prefix[p]; break; }
        sum += aggregate[p];
      }
      prefix[t] = sum + v; mine.store(2, cuda::memory_order_release);
    }
    before = sum;
  }
  __syncthreads();
  out[t * 32 + threadIdx.x] = v + before;
}
