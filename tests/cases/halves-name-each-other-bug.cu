// The lower half waits for the whole warp, the upper half for itself: the masks do not agree.
// launch: kernel=swap grid=1 block=32 args=y:u32[32]=0
// expect: barrier-mismatch
// accept: warp-sync-missing,deadlock
// where: 12,13
extern "C" __global__ void swap(unsigned *y)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    unsigned mask = t < 16 ? 0xffffffffu : 0xffff0000u;
    s[t] = t;
    __syncwarp(mask);
    y[t] = s[t ^ 1];
}
// run: no, a run does not look at masks that differ
