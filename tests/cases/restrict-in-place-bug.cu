// `const __restrict__` lets the compiler load the input through the read-only path, but the
// kernel is launched with its output as its input, so that threads read there what others write.
// launch: kernel=shift grid=1 block=64 args=from=v:u32[64]=iota,to=v:u32[64]=iota
// expect: nc-load-of-written-data
// accept: data-race
// where: 11,11
// final: v[t]==(t+1)%64 for t=0..63
extern "C" __global__ void shift(const unsigned *__restrict__ from, unsigned *__restrict__ to)
{
    unsigned t = threadIdx.x;
    to[t] = from[(t + 1) % 64];
}
