// The 64-bit word of status and value of a scan is stored by two stores of its halves.
// launch: kernel=scan coop=1 grid=2 block=1 args=word:u64[2]=0,out:u32[2]=0
// expect: torn-access
// accept: data-race
// where: 13,20
// final: out[1]==12
#include <cuda/atomic>
extern "C" __global__ void scan(unsigned long long *word, unsigned *out)
{
    unsigned b = blockIdx.x, mine = 5 + 2 * b;
    if (b == 0) {
        volatile uint2 *halves = (volatile uint2 *)word;
        halves->x = mine;
        halves->y = 1;
        out[0] = mine;
        return;
    }
    unsigned long long before;
    do
        before = *(volatile unsigned long long *)word;
    while (before >> 32 == 0);
    out[1] = (unsigned)before + mine;
}
