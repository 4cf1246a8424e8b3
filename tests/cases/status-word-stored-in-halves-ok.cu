// The word is stored at once.
// launch: kernel=scan coop=1 grid=2 block=1 args=word:u64[2]=0,out:u32[2]=0
// expect: clean
// final: out[1]==12
#include <cuda/atomic>
extern "C" __global__ void scan(unsigned long long *word, unsigned *out)
{
    unsigned b = blockIdx.x, mine = 5 + 2 * b;
    if (b == 0) {
        *(volatile unsigned long long *)word = 1ull << 32 | mine;
        out[0] = mine;
        return;
    }
    unsigned long long before;
    do
        before = *(volatile unsigned long long *)word;
    while (before >> 32 == 0);
    out[1] = (unsigned)before + mine;
}
