// wmma through global and shared memory, with small whole numbers.
// launch: kernel=wmma_half grid=1 block=32 args=in:u8[512]=random:40,out:f32[512]=0
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void wmma_half(const unsigned char *in, float *out) {
  __shared__ __align__(32) __half a[256], b[256];
  for (unsigned i = threadIdx.x; i < 256; i += 32)
    a[i] = __float2half((float)(in[i] % 8)), b[i] = __float2half((float)(in[256 + i] % 8) - 4);
  __syncwarp();
  fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.5f);
  load_matrix_sync(fa, a, 16);
  load_matrix_sync(fb, b, 16);
  mma_sync(fc, fa, fb, fc);
  store_matrix_sync(out, fc, 16, mem_row_major);
  mma_sync(fc, fa, fb, fc);
  store_matrix_sync(out + 256, fc, 16, mem_col_major);
}
