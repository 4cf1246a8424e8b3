// The loop sums up all of the array, the end of which nobody has filled.
// launch: kernel=gather grid=1 block=64 args=x:u32[64]=1,out:u32[1]=0,n:u32=40
// expect: uninitialised
// accept: assert
// where: 18
// final: out[0]==40
extern "C" __global__ void gather(const unsigned *x, unsigned *out, unsigned n)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    if (t < n)
        s[t] = x[t];
    __syncthreads();
    if (t == 0) {
        unsigned all = 0;
#pragma unroll 1
        for (unsigned i = 0; i < 64; i++)
            all += s[i];
        out[0] = all;
    }
}
