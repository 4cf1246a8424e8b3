// The lanes exchange within their half, and each half names itself.
// launch: kernel=swap grid=1 block=32 args=y:u32[32]=0
// expect: clean
// final: y[t]==(t^1) for t=0..31
extern "C" __global__ void swap(unsigned *y)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
    s[t] = t;
    __syncwarp(mask);
    y[t] = s[t ^ 1];
}
