// Each warp tells by a byte that it is done, and the last one is found behind an atomic count.
// launch: kernel=finish grid=2 block=64 args=done:u8[4]=0,count:u32[1]=0,x:u32[4]=0,y:u32[1]=0
// expect: clean
// final: y[0] == 10
extern "C" __global__ void finish(unsigned char *done, unsigned *count, unsigned *x, unsigned *y)
{
    unsigned warp = 2 * blockIdx.x + threadIdx.x / 32;
    if (threadIdx.x % 32 != 0)
        return;
    x[warp] = warp + 1;
    __threadfence();
    done[warp] = 1;
    if (atomicAdd(count, 1) == 3) {
        __threadfence();
        y[0] = x[0] + x[1] + x[2] + x[3];
    }
}
