// Two blocks set a byte each, and a third polls both at once: no access covers the other.
// launch: kernel=gather grid=3 block=32 args=ready:u8[4]=0,data:u32[2]=0,out:u32[1]=0
// expect: torn-access
// where: 12,15
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
    while (*(volatile unsigned short *)ready != 0xffff)
        ;
    __threadfence();
    out[0] = data[0] + data[1];
}
