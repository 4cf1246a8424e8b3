// Input and output are different arrays.
// launch: kernel=shift grid=1 block=64 args=from=v:u32[64]=iota,to=w:u32[64]=0
// expect: clean
// final: w[t]==(t+1)%64 for t=0..63
extern "C" __global__ void shift(const unsigned *__restrict__ from, unsigned *__restrict__ to)
{
    unsigned t = threadIdx.x;
    to[t] = from[(t + 1) % 64];
}
