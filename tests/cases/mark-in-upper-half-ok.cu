// A word carries a value in its lower half and a mark in the upper one, in one store.
// launch: kernel=send device=0 grid=1 block=4 args=word:u32[4]=0
// launch: kernel=receive device=1 grid=1 block=4 args=word:u32[4]=0,out:u32[4]=0
// relation: concurrent
// expect: clean
// final: out[t]==t+40 for t=0..3
extern "C" __global__ void send(unsigned *word)
{
    unsigned t = threadIdx.x;
    *(volatile unsigned *)(word + t) = 0xbeef0000u | (t + 40);
}

extern "C" __global__ void receive(unsigned *word, unsigned *out)
{
    unsigned t = threadIdx.x, seen;
    do
        seen = *(volatile unsigned *)(word + t);
    while (seen >> 16 != 0xbeef);
    out[t] = seen & 0xffff;
}
