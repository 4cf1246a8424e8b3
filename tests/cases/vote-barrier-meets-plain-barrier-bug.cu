// The first warp waits at a barrier that also votes, the second at the same barrier without a
// vote; the two kinds must not meet.
// launch: kernel=vote grid=1 block=64 args=y:u32[64]=0
// expect: barrier-mismatch
// accept: barrier-divergence
// where: 13,16
// final: y[t]==32 for t=0..31
extern "C" __global__ void vote(unsigned *y)
{
    unsigned t = threadIdx.x, count = 0;
    if (t < 32) {
        asm volatile("{\n .reg .pred p;\n setp.ne.u32 p, %1, 0;\n"
                     " barrier.red.popc.u32 %0, 1, 64, p;\n}" : "=r"(count) : "r"(t % 2 == 0 ? 1 : 0) : "memory");
        y[t] = 2 * count;
    } else {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    }
}
