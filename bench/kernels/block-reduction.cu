// The tree of a block of 64 threads.
extern "C" __global__ void reduce(const unsigned *in, unsigned *out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = s[0];
}
