// __syncwarp() separates the read and the write of each step.
// launch: kernel=old_reduce grid=1 block=4 args=y:u32[1]=0
// expect: clean
// final: y[0]==10
extern "C" __global__ void old_reduce(unsigned *y)
{
    __shared__ volatile unsigned s[8];
    unsigned t = threadIdx.x;
    s[t] = t + 1;
    s[t + 4] = 0;
    __syncwarp(15);
    for (unsigned half = 2; half > 0; half /= 2) {
        unsigned other = s[t + half];
        __syncwarp(15);
        s[t] = s[t] + other;
        __syncwarp(15);
    }
    if (t == 0)
        y[0] = s[0];
}
