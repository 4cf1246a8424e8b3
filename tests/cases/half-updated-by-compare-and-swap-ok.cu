// atomicAdd for halves by compare-and-swap on the word around them. A failed swap is tried again with what
// it found.
// launch: kernel=add grid=2 block=2 args=sum:u16[2]=0
// expect: clean
// final: sum[0] == 2 && sum[1] == 2
extern "C" __global__ void add(unsigned short *sum)
{
    unsigned *word = (unsigned *)sum;
    unsigned shift = 16 * threadIdx.x, old = atomicAdd(word, 0), seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, seen + (1u << shift));
    } while (old != seen);
}
