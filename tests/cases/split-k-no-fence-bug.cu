// Each block stores its part of a sum and then counts itself. Nothing orders the parts before the
// count, so the last block may add old ones.
// launch: kernel=split_k grid=2 block=32 args=a:u32[64]=iota,part:u32[64]=0,count:u32[1]=0,c:u32[32]=0
// expect: release-missing
// where: 11,19
// final: c[t]==2*t+32 for t=0..31
extern "C" __global__ void split_k(const unsigned *a, unsigned *part, unsigned *count, unsigned *c)
{
    __shared__ unsigned is_last;
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[i] = a[i];
    __syncthreads();
    if (t == 0) {
        is_last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last)
        c[t] = part[t] + part[32 + t];
}
