// Fourier transform of 64 points in shared memory, with twiddle factors of the input.
// launch: kernel=fourier grid=1 block=32 args=in:f32[128]=random:30,twiddles:f32[64]=random:31,out:f32[128]=0
extern "C" __global__ void fourier(const float2 *in, const float2 *twiddles, float2 *out) {
  __shared__ float2 a[64];
  unsigned t = threadIdx.x;
  a[__brev(t) >> 26] = in[t], a[__brev(t + 32) >> 26] = in[t + 32];
  __syncthreads();
  for (unsigned half = 1; half < 64; half *= 2) {
    unsigned k = t % half, i = t / half * half * 2 + k;
    float2 w = twiddles[k * (32 / half)], x = a[i], y = a[i + half];
    float2 z = make_float2(fmaf(w.x, y.x, -__fmul_rn(w.y, y.y)), fmaf(w.x, y.y, __fmul_rn(w.y, y.x)));
    a[i] = make_float2(__fadd_rn(x.x, z.x), __fadd_rn(x.y, z.y));
    a[i + half] = make_float2(__fsub_rn(x.x, z.x), __fsub_rn(x.y, z.y));
    __syncthreads();
  }
  out[t] = a[t], out[t + 32] = a[t + 32];
}
