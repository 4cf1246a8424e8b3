// wmma of bytes, of bfloat16 and of doubles.
// launch: kernel=wmma_others grid=1 block=32 args=in:u8[1024]=random:41,d:f64[96]=random:42,out:s32[256]=0,bf:f32[256]=0,dd:f64[64]=0
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void wmma_others(const unsigned char *in, const double *d, int *out, float *bf, double *dd) {
  fragment<matrix_a, 16, 16, 16, unsigned char, row_major> fa;
  fragment<matrix_b, 16, 16, 16, unsigned char, col_major> fb;
  fragment<accumulator, 16, 16, 16, int> fc;
  fill_fragment(fc, -7);
  load_matrix_sync(fa, in, 16);
  load_matrix_sync(fb, in + 256, 16);
  mma_sync(fc, fa, fb, fc);
  store_matrix_sync(out, fc, 16, mem_row_major);
  __shared__ __align__(32) __nv_bfloat16 a[256], b[256];
  for (unsigned i = threadIdx.x; i < 256; i += 32)
    a[i] = __float2bfloat16((float)(in[i] % 8)), b[i] = __float2bfloat16((float)(in[256 + i] % 8) - 4);
  __syncwarp();
  fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> ga;
  fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major> gb;
  fragment<accumulator, 16, 16, 16, float> gc;
  fill_fragment(gc, 1.0f);
  load_matrix_sync(ga, a, 16);
  load_matrix_sync(gb, b, 16);
  mma_sync(gc, ga, gb, gc);
  store_matrix_sync(bf, gc, 16, mem_row_major);
  fragment<matrix_a, 8, 8, 4, double, row_major> ha;
  fragment<matrix_b, 8, 8, 4, double, col_major> hb;
  fragment<accumulator, 8, 8, 4, double> hc;
  fill_fragment(hc, 0.25);
  load_matrix_sync(ha, d, 4);
  load_matrix_sync(hb, d + 32, 4);
  mma_sync(hc, ha, hb, hc);
  store_matrix_sync(dd, hc, 8, mem_row_major);
}
