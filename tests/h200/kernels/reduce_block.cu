// Sum of a block by halving, then of all blocks by one atomic addition each.
// launch: kernel=reduce_block grid=8 block=256 args=in:u32[4096]=random:12,out:u32[1]=0
extern "C" __global__ void reduce_block(const unsigned *in, unsigned *out) {
  __shared__ unsigned part[256];
  unsigned t = threadIdx.x, i = blockIdx.x * 512 + t;
  part[t] = in[i] + in[i + 256];
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    atomicAdd(out, part[0]);
}
