// Repaired: the counter of the shared queue is reset while a slower warp still looks at it.
// launch: kernel=bfs grid=1 block=64 args=levels:u32[64]=9
// expect: clean
// final: levels[0]==0 && levels[1]==1 && levels[33]==1 && levels[2]==9
extern "C" __global__ void bfs(unsigned *levels)
{
    __shared__ unsigned queue[64], count;
    unsigned t = threadIdx.x;
    for (unsigned level = 0; level < 2; level++) {
        if (t == 0)
            count = 0;
        __syncthreads();
        if (t % 32 == level)
            queue[atomicAdd(&count, 1u)] = t;
        __syncthreads();
        unsigned n = count;
        if (t < n)
            levels[queue[t]] = level;
        __syncthreads();
    }
}
