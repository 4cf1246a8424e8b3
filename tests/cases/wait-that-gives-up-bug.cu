// A thread waits for its data, but only for so long. When the time is over it takes them all the same.
// launch: kernel=hand_over grid=2 block=1 args=ready:u32[1]=0,data:u32[1]=0,out:u32[1]=0
// expect: no-synchronisation
// accept: acquire-missing
// where: 10,19
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
    while (*flag == 0 && clock64() - begin < 1000000)
        ;
    __threadfence();
    out[0] = data[0];
}
// run: no, too rare an interleaving
