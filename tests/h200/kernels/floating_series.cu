// Horner's rule, Newton's iteration and a series, in floats and doubles, with divisions and square roots.
// launch: kernel=floating_series grid=1 block=64 args=in:f64[64]=random:45,out:f64[128]=0,single:f32[128]=0
extern "C" __global__ void floating_series(const double *in, double *out, float *single) {
  unsigned t = threadIdx.x;
  double x = __fma_rn(in[t], 10, 0.1), sum = 0, root = x;
  for (int i = 12; i > 0; i--)
    sum = __ddiv_rn(__dmul_rn(__dadd_rn(sum, 1), x), i);
  for (int i = 0; i < 6; i++)
    root = __dmul_rn(0.5, __dadd_rn(root, __ddiv_rn(x, root)));
  out[t] = sum, out[64 + t] = __dsub_rn(root, __dsqrt_rn(x));
  float y = (float)x, total = 0;
  for (int i = 1; i < 40; i++)
    total = __fadd_rn(total, __fsub_rn(__fdiv_rn(y, (float)(i * i)), __fsqrt_rn(__fdiv_rn(y, i))));
  single[t] = total, single[64 + t] = __fmaf_rn(y, total, __frcp_rn(y));
}
