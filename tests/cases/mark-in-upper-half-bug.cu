// A word carries a value in its lower half and a mark in the upper one; they are stored one by one.
// launch: kernel=send device=0 grid=1 block=4 args=word:u32[4]=0
// launch: kernel=receive device=1 grid=1 block=4 args=word:u32[4]=0,out:u32[4]=0
// relation: concurrent
// expect: torn-access
// where: 12,13,21
// final: out[t]==t+40 for t=0..3
extern "C" __global__ void send(unsigned *word)
{
    unsigned t = threadIdx.x;
    volatile unsigned short *half = (volatile unsigned short *)(word + t);
    half[0] = t + 40;
    half[1] = 0xbeef;
}

extern "C" __global__ void receive(unsigned *word, unsigned *out)
{
    unsigned t = threadIdx.x, seen;
    do
        // The mark may be there and the value not.
        seen = *(volatile unsigned *)(word + t);
    while (seen >> 16 != 0xbeef);
    out[t] = seen & 0xffff;
}
// run: no, parts of one word are exempt there
