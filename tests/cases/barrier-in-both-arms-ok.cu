// One barrier stands behind the branch.
// launch: kernel=two_arms grid=1 block=64 args=y:u32[64]=0
// expect: clean
// final: y[t]==(63-t<48 ? 63-t : 2*(63-t)) for t=0..63
extern "C" __global__ void two_arms(unsigned *y)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    if (t < 48) {
        s[t] = t;
    } else {
        s[t] = 2 * t;
    }
    __syncthreads();
    y[t] = s[63 - t];
}
