// Two blocks add tiles to one box of a matrix by a tensor map, after a fence between proxies.
// launch: kernel=add grid=2 block=64 args=map=x:s32[20,10]:[8,8]=iota
// expect: clean
// final: x[i] == i + (i % 20 >= 8 && i % 20 < 16 && i / 20 >= 4 ? 2 * (i % 20 - 8) + 3 : 0) for i=0..199
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

extern "C" __global__ void add(const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) int box[8][8];
    unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
    int corner[2] = {8, 4};
    box[y][x] = (int)(x + 1 + blockIdx.x);
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &map, corner, box);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
