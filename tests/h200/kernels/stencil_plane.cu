// Heat on a plane: ten steps of a five-point stencil within a block.
// launch: kernel=stencil_plane grid=1 block=16,16 args=in:f64[256]=random:24,out:f64[256]=0
extern "C" __global__ void stencil_plane(const double *in, double *out) {
  __shared__ double a[2][18][18];
  unsigned x = threadIdx.x + 1, y = threadIdx.y + 1, i = threadIdx.y * 16 + threadIdx.x;
  for (unsigned k = i; k < 18 * 18; k += 256)
    a[0][k / 18][k % 18] = a[1][k / 18][k % 18] = 0;
  __syncthreads();
  a[0][y][x] = in[i];
  __syncthreads();
  for (unsigned step = 0; step < 10; step++) {
    double(*from)[18] = a[step % 2], (*to)[18] = a[1 - step % 2];
    to[y][x] = from[y][x] + 0.2 * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1] - 4 * from[y][x]);
    __syncthreads();
  }
  out[i] = a[0][y][x];
}
