// The consumer warp waits at barrier 2 for 64 threads, but the producer arrives at barrier 1.
// launch: kernel=pass_on grid=1 block=64 args=y:u32[32]=0
// expect: deadlock
// where: 14,14
// final: y[t]==t+3 for t=0..31
extern "C" __global__ void pass_on(unsigned *y)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        s[t] = t + 3;
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("barrier.sync 2, 64;" ::: "memory");
        y[t] = s[t];
    }
}
