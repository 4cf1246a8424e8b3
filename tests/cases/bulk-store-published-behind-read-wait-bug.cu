// A tile goes to global memory by a bulk store; behind a wait for the reading of its source only, a flag tells of it.
// launch: kernel=tile coop=1 grid=2 block=32 args=x:u32[32]=0,flag:u32[1]=0,out:u32[32]=0
// expect: async-not-waited
// accept: data-race
// where: 19,30
// final: out[t]==t+1 for t=0..31
#include <cuda/ptx>
#include <cuda/atomic>
extern "C" __global__ void tile(unsigned *x, unsigned *flag, unsigned *out)
{
    __shared__ alignas(128) unsigned s[32];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        s[t] = t + 1;
        cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
        __syncwarp();
        if (t == 0) {
            cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, x, s, 128);
            cuda::ptx::cp_async_bulk_commit_group();
            cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
            ready.store(1, cuda::memory_order_release);
        }
        return;
    }
    if (t == 0)
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
    __syncwarp();
    out[t] = x[t];
}
