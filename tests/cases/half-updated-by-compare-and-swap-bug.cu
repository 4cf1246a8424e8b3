// atomicAdd for halves by compare-and-swap on the word around them. The first look at the word is not
// repeated when the swap fails.
// launch: kernel=add grid=2 block=2 args=sum:u16[2]=0
// expect: assert
// accept: stale-value,lost-update
// final: sum[0] == 2 && sum[1] == 2
extern "C" __global__ void add(unsigned short *sum)
{
    unsigned *word = (unsigned *)sum;
    unsigned shift = 16 * threadIdx.x, old = atomicAdd(word, 0), seen;
    atomicCAS(word, old, old + (1u << shift));
}
