// Two warps note visited cells, one byte each, in shared memory; a third one reads four of them at once, by a poll
// until all are set.
// launch: kernel=cells grid=1 block=96 args=y:u32[1]=0
// expect: torn-access
// accept: data-race,hoistable-poll,uninitialised,livelock,deadlock
// final: y[0] == 0x01010101
extern "C" __global__ void cells(unsigned *y)
{
    __shared__ unsigned all;
    volatile unsigned char *cell = (volatile unsigned char *)&all;
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    if (warp < 2 && lane < 2)
        cell[2 * warp + lane] = 1;
    if (threadIdx.x == 64) {
        while (*(volatile unsigned *)&all != 0x01010101)
            ;
        y[0] = *(volatile unsigned *)&all;
    }
}
