// A look-back scan of three blocks. Status and prefix are two volatile words; a new status may be
// seen with an old prefix.
// launch: kernel=prefix grid=3 block=32 coop=1 args=x:u32[96]=1,y:u32[96]=0,state:u64[3]=0
// expect: stale-value
// accept: assert
// where: 19,21,22
// final: y[i]==i+1 for i=0..95
extern "C" __global__ void prefix(const unsigned *x, unsigned *y, volatile unsigned long long *state)
{
    __shared__ unsigned before;
    unsigned t = threadIdx.x, b = blockIdx.x;
    unsigned sum = __popc(__ballot_sync(0xffffffffu, x[32 * b + t]) & (0xffffffffu >> (31 - t)));
    if (t == 31) {
        unsigned earlier = 0;
        volatile unsigned *word = (volatile unsigned *)state;
        if (b > 0) {
            while (word[2 * (b - 1) + 1] == 0)
                ;
            earlier = word[2 * (b - 1)];
        }
        word[2 * b] = earlier + sum;
        word[2 * b + 1] = 1;
        before = earlier;
    }
    __syncthreads();
    y[32 * b + t] = before + sum;
}
// run: weak
