// The consumers wait for the stage.
// launch: kernel=stage grid=1 block=64 args=x:u32[32]=iota,out:u32[32]=0
// expect: clean
// final: out[t]==t for t=0..31
#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void stage(const unsigned *x, unsigned *out)
{
    __shared__ unsigned tile[32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cg::this_thread_block();
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    unsigned lane = threadIdx.x & 31;
    if (role == cuda::pipeline_role::producer) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[lane], &x[lane], sizeof(unsigned), pipe);
        pipe.producer_commit();
    } else {
        pipe.consumer_wait();
        out[lane] = tile[lane];
        pipe.consumer_release();
    }
}
