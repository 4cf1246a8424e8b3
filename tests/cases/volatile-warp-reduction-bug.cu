// The classic reduction of a warp through volatile shared memory, from the time when a warp ran
// in lock step.
// launch: kernel=old_reduce grid=1 block=4 args=y:u32[1]=0
// expect: stale-value
// accept: assert,warp-sync-missing,lost-update
// where: 16,17
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
        s[t] = s[t] + other;
    }
    if (t == 0)
        y[0] = s[0];
}
// run: weak
