// A fence between the barrier and the counter publishes the parts of the whole block.
// launch: kernel=split_k grid=2 block=32 args=a:u32[64]=iota,part:u32[64]=0,count:u32[1]=0,c:u32[32]=0
// expect: clean
// final: c[t]==2*t+32 for t=0..31
extern "C" __global__ void split_k(const unsigned *a, unsigned *part, unsigned *count, unsigned *c)
{
    __shared__ unsigned is_last;
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[i] = a[i];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        is_last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last)
        c[t] = part[t] + part[32 + t];
}
