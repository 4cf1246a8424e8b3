// When the time is over the thread leaves without the data.
// launch: kernel=hand_over grid=2 block=1 args=ready:u32[1]=0,data:u32[1]=0,out:u32[1]=0
// expect: clean
// final: out[0]<=1
extern "C" __global__ void hand_over(unsigned *ready, unsigned *data, unsigned *out)
{
    volatile unsigned *flag = ready;
    if (blockIdx.x == 0) {
        data[0] = 1;
        __threadfence();
        *flag = 1;
        return;
    }
    long long begin = clock64();
    unsigned seen;
    do {
        seen = *flag;
    } while (seen == 0 && clock64() - begin < 1000000);
    if (seen == 0)
        return;
    __threadfence();
    out[0] = data[0];
}
