// Some lanes add up with a mask that names all; the others are at the next warp barrier.
// launch: kernel=segsum grid=2 block=32 shared=0 args=x:u32[64]=1,out:u32[2]=0,n:u32=20
// final: out[b]==20 for b=0..1
// expect: deadlock
// accept: barrier-divergence
// where: 12,16
extern "C" __global__ void segsum(const unsigned *x, unsigned *out, unsigned n)
{
    __shared__ unsigned s;
    unsigned l = threadIdx.x;
    if (l < n) {
        unsigned v = __reduce_add_sync(0xffffffffu, x[blockIdx.x * 32 + l]);
        if (l == 0)
            s = v;
    }
    __syncwarp();
    if (l == 31)
        out[blockIdx.x] = s;
}
