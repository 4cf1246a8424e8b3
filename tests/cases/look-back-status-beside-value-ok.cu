// Status and prefix share one 64-bit word, which is written and read as a whole.
// launch: kernel=prefix grid=3 block=32 coop=1 args=x:u32[96]=1,y:u32[96]=0,state:u64[3]=0
// expect: clean
// final: y[i]==i+1 for i=0..95
extern "C" __global__ void prefix(const unsigned *x, unsigned *y, volatile unsigned long long *state)
{
    __shared__ unsigned before;
    unsigned t = threadIdx.x, b = blockIdx.x;
    unsigned sum = __popc(__ballot_sync(0xffffffffu, x[32 * b + t]) & (0xffffffffu >> (31 - t)));
    if (t == 31) {
        unsigned earlier = 0;
        if (b > 0) {
            unsigned long long seen;
            do
                seen = state[b - 1];
            while (seen >> 32 == 0);
            earlier = (unsigned)seen;
        }
        state[b] = 1ull << 32 | (earlier + sum);
        before = earlier;
    }
    __syncthreads();
    y[32 * b + t] = before + sum;
}
