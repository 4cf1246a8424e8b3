// The last block turns the sense before it resets the counter, so that a fast block counts into the
// old round.
// launch: kernel=steps grid=3 block=32 coop=1 args=count:u32[1]=0,sense:u32[1]=0,a:u32[96]=0,out:u32[96]=0
// expect: deadlock
// accept: data-race
// where: 18,20
// final: out[i] == 2 for i=0..95
__device__ void grid_sync(unsigned *count, unsigned *sense, unsigned *mine)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        *mine ^= 1;
        __threadfence();
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            __threadfence();
            atomicExch(sense, *mine);
             __threadfence();
             atomicExch(count, 0);
        } else {
            while (atomicAdd(sense, 0) != *mine)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}
extern "C" __global__ void steps(unsigned *count, unsigned *sense, unsigned *a, unsigned *out)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x, n = gridDim.x * 32, mine = 0;
    a[i] = 1;
    grid_sync(count, sense, &mine);
    unsigned v = a[(i + 32) % n];
    grid_sync(count, sense, &mine);
    a[i] = v + 1;
    grid_sync(count, sense, &mine);
    out[i] = a[(i + 64) % n];
}
