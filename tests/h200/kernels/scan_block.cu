// Inclusive and exclusive prefix sums of a block: Hillis and Steele's, and Blelloch's.
// launch: kernel=scan_block grid=2 block=256 args=in:u32[512]=random:14,inclusive:u32[512]=0,exclusive:u32[512]=0
extern "C" __global__ void scan_block(const unsigned *in, unsigned *inclusive, unsigned *exclusive) {
  __shared__ unsigned a[2][256], tree[256];
  unsigned t = threadIdx.x, i = blockIdx.x * 256 + t, from = 0;
  a[0][t] = in[i], tree[t] = in[i];
  __syncthreads();
  for (unsigned by = 1; by < 256; by *= 2, from ^= 1) {
    a[from ^ 1][t] = t >= by ? a[from][t] + a[from][t - by] : a[from][t];
    __syncthreads();
  }
  inclusive[i] = a[from][t];
  for (unsigned by = 1; by < 256; by *= 2) {
    unsigned k = (t + 1) * by * 2 - 1;
    if (k < 256)
      tree[k] += tree[k - by];
    __syncthreads();
  }
  if (t == 0)
    tree[255] = 0;
  __syncthreads();
  for (unsigned by = 128; by > 0; by /= 2) {
    unsigned k = (t + 1) * by * 2 - 1;
    if (k < 256) {
      unsigned left = tree[k - by];
      tree[k - by] = tree[k];
      tree[k] += left;
    }
    __syncthreads();
  }
  exclusive[i] = tree[t];
}
