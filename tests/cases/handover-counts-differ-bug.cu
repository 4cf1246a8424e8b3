// The producer arrives at barrier 1 for 64 threads, the consumer waits there for 32: they
// disagree about who takes part.
// launch: kernel=handover grid=1 block=64 args=y:u32[32]=0
// expect: barrier-mismatch
// accept: deadlock,barrier-missing
// where: 14,16
// final: y[t]==t+7 for t=0..31
extern "C" __global__ void handover(unsigned *y)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        s[t] = t + 7;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 32;" ::: "memory");
        y[t] = s[t];
    }
}
