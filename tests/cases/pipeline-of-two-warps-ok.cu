// A pipeline of libcu++ that all warps of a block share, from its making to its end, which the last warp to leave brings
// about.
// launch: kernel=pipe grid=1 block=64 args=x:u32[128]=iota,y:u32[128]=0
// expect: clean
// final: y[64 * i + k] == 64 * i + 63 - k for i=0..1, k=0..63
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cstdint>
namespace cg = cooperative_groups;
extern "C" __global__ void pipe(const uint32_t *x, uint32_t *y) {
  __shared__ uint32_t stage[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  uint32_t t = threadIdx.x;
  for (uint32_t i = 0; i < 2; i++) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&stage[i][t], x + 64 * i + t, sizeof(uint32_t), pipeline);
    pipeline.producer_commit();
  }
  for (uint32_t i = 0; i < 2; i++) {
    pipeline.consumer_wait();
    y[64 * i + t] = stage[i][63 - t];
    pipeline.consumer_release();
  }
}
