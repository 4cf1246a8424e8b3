// The last block sets the counter back.
// launch: kernel=sum_blocks stream=0 grid=2 block=32 args=runs:u32[1]=0
// launch: kernel=sum_blocks stream=0 grid=2 block=32 args=runs:u32[1]=0
// relation: sequential
// expect: clean
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
        atomicExch(&finished, 0);
    }
}
