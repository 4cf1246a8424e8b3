// Two blocks set a byte each, and a third polls one after the other.
// launch: kernel=gather grid=3 block=32 args=ready:u8[4]=0,data:u32[2]=0,out:u32[1]=0
// expect: clean
// final: out[0] == 3
extern "C" __global__ void gather(volatile unsigned char *ready, unsigned *data, unsigned *out)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x < 2) {
        data[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        ready[blockIdx.x] = 255;
        return;
    }
    while (ready[0] != 255 || ready[1] != 255)
        ;
    __threadfence();
    out[0] = data[0] + data[1];
}
