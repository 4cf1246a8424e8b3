// A block builds a table and sets a flag with release order, but the user of the table checks the
// flag by a relaxed load: its reads of the table may come first.
// launch: kernel=table_user grid=2 block=32 args=table:u32[32]=0,built:u32[1]=0,sum:u32[1]=16
// expect: acquire-missing
// where: 13,19
// final: sum[0]==16
#include <cuda/atomic>

extern "C" __global__ void table_user(unsigned *table, unsigned *built, unsigned *sum)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> is_built(*built);
    if (blockIdx.x == 0) {
        table[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0)
            is_built.store(1, cuda::memory_order_release);
    } else if (threadIdx.x == 0) {
        if (is_built.load(cuda::memory_order_relaxed))
            sum[0] = table[7] + table[9];
    }
}
