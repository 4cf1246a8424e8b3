// Maximum and sum of floats by shuffles; the order of additions is fixed.
// launch: kernel=reduce_warp grid=4 block=128 args=in:f32[512]=random:13,out:f32[8]=0
extern "C" __global__ void reduce_warp(const float *in, float *out) {
  __shared__ float sums[4], tops[4];
  float sum = in[blockIdx.x * 128 + threadIdx.x], top = sum;
  for (int by = 16; by > 0; by /= 2) {
    sum += __shfl_down_sync(~0u, sum, by);
    top = fmaxf(top, __shfl_xor_sync(~0u, top, by));
  }
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum, tops[threadIdx.x / 32] = top;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x * 2] = sums[0] + sums[1] + sums[2] + sums[3];
    out[blockIdx.x * 2 + 1] = fmaxf(fmaxf(tops[0], tops[1]), fmaxf(tops[2], tops[3]));
  }
}
