// A block takes a tile of a matrix by a tensor map, adds 1 to it, and puts it back. The
// asynchronous proxy need not see what the threads have written: the fence between proxies was left out.
// launch: kernel=tile grid=1 block=64 args=map=x:s32[20,10]:[8,8]=iota,out:s32[64]=0
// expect: data-race
// accept: proxy-race
// where: 32,35
// final: out[i] == ((i % 8 + 8 < 20 && i / 8 + 4 < 10) ? (i / 8 + 4) * 20 + i % 8 + 8 : 0) for i=0..63
// final: x[i] == i + (i % 20 >= 8 && i % 20 < 16 && i / 20 >= 4 ? 1 : 0) for i=0..199
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

extern "C" __global__ void tile(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int box[8][8];
    __shared__ uint64_t bar;
    unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
    int corner[2] = {8, 4};
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &map, corner, &bar);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof box);
    }
    while (!ptx::mbarrier_try_wait_parity(&bar, 0))
        ;
    out[threadIdx.x] = box[y][x];
    box[y][x] += 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, corner, box);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
