// One warp fills two slots for three others, who give them back by named barriers, one time too few.
// launch: kernel=ws grid=1 block=128 shared=0 args=o:u32[768]=0
// final: o[i]==i/96 for i=0..767
// expect: deadlock
// where: 13,20
extern "C" __global__ void ws(unsigned *o)
{
    __shared__ unsigned q[2];
    unsigned w = threadIdx.x / 32, t = threadIdx.x;
    if (w == 0) {
        for (unsigned k = 0; k < 8; k++) {
            if (k >= 2)
                asm volatile("bar.sync %0, 128;" ::"r"(3 + (k & 1)) : "memory");
            if (t == 0)
                q[k & 1] = k;
            asm volatile("bar.arrive %0, 128;" ::"r"(1 + (k & 1)) : "memory");
        }
    } else {
        for (unsigned k = 0; k < 8; k++) {
            asm volatile("bar.sync %0, 128;" ::"r"(1 + (k & 1)) : "memory");
            o[k * 96 + t - 32] = q[k & 1];
            if (k < 5)
                asm volatile("bar.arrive %0, 128;" ::"r"(3 + (k & 1)) : "memory");
        }
    }
}
