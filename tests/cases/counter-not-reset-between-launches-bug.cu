// The counter of finished blocks is a global variable. The kernel is launched twice and finds the
// old count the second time, so that no block takes itself for the last one.
// launch: kernel=sum_blocks stream=0 grid=2 block=32 args=runs:u32[1]=0
// launch: kernel=sum_blocks stream=0 grid=2 block=32 args=runs:u32[1]=0
// relation: sequential
// expect: assert
// where: 8,8
// final: runs[0]==2
__device__ unsigned finished;

extern "C" __global__ void sum_blocks(unsigned *runs)
{
    if (threadIdx.x != 0)
        return;
    __threadfence();
    if (atomicAdd(&finished, 1) == gridDim.x - 1) {
        __threadfence();
        runs[0] += 1;
    }
}
