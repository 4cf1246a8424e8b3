// Sums of two vectors, with threads beyond the end.
// launch: kernel=vector_add grid=4 block=96 args=a:f32[350]=random:26,b:f32[350]=random:27,c:f32[350]=0,n:u32=350
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
