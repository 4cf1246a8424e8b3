// Horner's rule, Newton's iteration and a series, in floats and doubles, with divisions and square roots.
// launch: kernel=floating_series grid=1 block=64 args=in:f64[64]=random:45,out:f64[128]=0,single:f32[128]=0
extern "C" __global__ void floating_series(const double *in, double *out, float *single) {
  unsigned t = threadIdx.x;
  double x = in[t] * 10 + 0.1, sum = 0, root = x;
  for (int i = 12; i > 0; i--)
    sum = (sum + 1) * x / i;
  for (int i = 0; i < 6; i++)
    root = 0.5 * (root + x / root);
  out[t] = sum, out[64 + t] = root - sqrt(x);
  float y = (float)x, total = 0;
  for (int i = 1; i < 40; i++)
    total += __fdiv_rn(y, (float)(i * i)) - __fsqrt_rn(y / i);
  single[t] = total, single[64 + t] = expf(-y) + logf(y) * sinf(y);
}
