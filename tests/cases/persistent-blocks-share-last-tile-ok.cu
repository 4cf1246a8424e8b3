// Persistent blocks take tiles from a counter.
// launch: kernel=fill grid=4 block=32 args=next:u32[1]=0,tiles:s32=8,out:s32[256]=0
// expect: clean
extern "C" __global__ void fill(int *next, int tiles, int *out)
{
    __shared__ int tile;
    for (;;) {
        if (threadIdx.x == 0)
            tile = atomicAdd(next, 1);
        __syncthreads();
        int mine = tile;
        __syncthreads();
        if (mine >= tiles)
            break;
        out[mine * blockDim.x + threadIdx.x] = mine;
    }
}
