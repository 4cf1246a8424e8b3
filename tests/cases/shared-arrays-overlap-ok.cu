// The second array begins behind the first.
// launch: kernel=two_arrays grid=1 block=64 shared=512 args=y:u32[64]=0
// expect: clean
// final: y[t]==3*t for t=0..63
extern "C" __global__ void two_arrays(unsigned *y)
{
    extern __shared__ unsigned room[];
    unsigned t = threadIdx.x;
    unsigned *once = room;
    unsigned *twice = room + 64;
    once[t] = t;
    twice[t] = 2 * t;
    __syncthreads();
    y[t] = once[t] + twice[t];
}
