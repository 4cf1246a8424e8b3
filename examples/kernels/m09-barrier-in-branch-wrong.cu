// M9: all threads of a block have to reach the same __syncthreads(). In this reduction each step
// has its barrier inside of a branch that fewer and fewer threads take, while the others go on to
// the barrier behind the loop. What happens then is undefined: a hang, or a barrier that
// separates nothing.
// launch: kernel=reduce grid=1 block=64 args=x:u32[64]=iota,y:u32[64]=0
// expect: barrier-divergence
// accept: deadlock
// where: 19,22
// final: y[t]==2016 for t=0..63
extern "C" __global__ void reduce(const unsigned *x, unsigned *y)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (unsigned half = 32; half > 0; half /= 2) {
        if (t < half) {
            s[t] += s[t + half];
            __syncthreads();
        }
    }
    __syncthreads();
    y[t] = s[0];
}
