// M9: all threads of a block have to reach the same __syncthreads(). In this reduction fewer and
// fewer threads add at each step, but all of them go through the barrier, which stands behind the
// branch. The condition of the loop is the same for all threads.
// launch: kernel=reduce grid=1 block=64 args=x:u32[64]=iota,y:u32[64]=0
// expect: clean
// final: y[t]==2016 for t=0..63
extern "C" __global__ void reduce(const unsigned *x, unsigned *y)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (unsigned half = 32; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    y[t] = s[0];
}
