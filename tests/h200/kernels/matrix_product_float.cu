// Tiled product of two matrices of 32 by 32.
// launch: kernel=matrix_product_float grid=4,4 block=8,8 args=a:f32[1024]=random:19,b:f32[1024]=random:20,c:f32[1024]=0
extern "C" __global__ void matrix_product_float(const float *a, const float *b, float *c) {
  __shared__ float left[8][8], right[8][8];
  unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
  float sum = 0;
  for (unsigned tile = 0; tile < 32; tile += 8) {
    left[y][x] = a[row * 32 + tile + x];
    right[y][x] = b[(tile + y) * 32 + column];
    __syncthreads();
    for (unsigned k = 0; k < 8; k++)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * 32 + column] = sum;
}
