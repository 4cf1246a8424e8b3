// cuda::pipeline with two stages for a block. The consumer's release comes before its reads.
// launch: kernel=blur grid=1 block=32 args=x:u32[128]=iota,y:u32[32]=0
// expect: data-race
// where: 20,25
// final: y[i] == 4*(31-i) + 192 for i=0..31
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

extern "C" __global__ void blur(const unsigned *x, unsigned *y)
{
    __shared__ alignas(16) unsigned tile[2][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    unsigned t = threadIdx.x, sum = 0;
    for (unsigned k = 0, fetched = 0; k < 4; k++) {
        for (; fetched < 4 && fetched < k + 2; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[fetched % 2][t], x + 32 * fetched + t, sizeof(unsigned), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        pipe.consumer_release();
        sum += tile[k % 2][31 - t];
    }
    y[t] = sum;
}
