// Stencil of seven points on a line, with a halo in shared memory.
// launch: kernel=stencil_line grid=4 block=64 args=in:f32[262]=random:23,out:f32[256]=0
extern "C" __global__ void stencil_line(const float *in, float *out) {
  __shared__ float row[70];
  unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  row[t] = in[i];
  if (t < 6)
    row[t + 64] = in[i + 64];
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < 7; k++)
    sum = fmaf(row[t + k], 0.125f * (k + 1), sum);
  out[i] = sum;
}
