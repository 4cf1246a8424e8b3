// Two blocks add to one tile of results, one behind the other: each waits for its turn at a semaphore. The leader lets the
// next block in when all threads of its own have stored.
// launch: kernel=split_sum grid=2 block=64 args=x:u32[128]=iota,sum:u32[64]=0,turn:u32[1]=0
// expect: clean
// final: sum[i] == 64 + 2 * i for i=0..63
#include <cuda/atomic>
#include <cstdint>

using Turn = cuda::atomic_ref<uint32_t, cuda::thread_scope_device>;

__device__ void acquire(Turn turn, uint32_t mine) {
  if (threadIdx.x == 0)
    while (turn.load(cuda::memory_order_acquire) != mine) {
    }
  __syncthreads();
}

extern "C" __global__ void split_sum(const uint32_t *x, uint32_t *sum, uint32_t *turn) {
  uint32_t t = threadIdx.x, part = x[64 * blockIdx.x + t];
  acquire(Turn(*turn), blockIdx.x);
  if (blockIdx.x == 0)
    sum[t] = part;
  else
    sum[t] = sum[t] + part;
  __syncthreads();
  if (t == 0)
    Turn(*turn).store(blockIdx.x + 1, cuda::memory_order_release);
}
