// `const __restrict__` lets the compiler load the input through the read-only path, but the
// kernel is launched with the output as its input.
// launch: kernel=shift grid=1 block=64 args=from=v:u32[64]=iota,to=v:u32[64]=iota
// expect: nc-load-of-written-data
// accept: data-race
// where: 11,13
// final: v[t]==(t+1)%64 for t=0..63
extern "C" __global__ void shift(const unsigned *__restrict__ from, unsigned *__restrict__ to)
{
    unsigned t = threadIdx.x;
    unsigned next = from[(t + 1) % 64];
    __syncthreads();
    to[t] = next;
}
