// Two arrays share dynamic shared memory, but the second begins before the end of the first.
// launch: kernel=two_arrays grid=1 block=64 shared=384 args=y:u32[64]=0
// expect: barrier-missing
// accept: data-race
// where: 13,14
// final: y[t]==3*t for t=0..63
extern "C" __global__ void two_arrays(unsigned *y)
{
    extern __shared__ unsigned room[];
    unsigned t = threadIdx.x;
    unsigned *once = room;
    unsigned *twice = room + 32;
    once[t] = t;
    twice[t] = 2 * t;
    __syncthreads();
    y[t] = once[t] + twice[t];
}
