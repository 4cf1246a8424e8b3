// Bitonic sort of a block's numbers.
// launch: kernel=sort_bitonic grid=2 block=256 args=data:u32[512]=random:16
extern "C" __global__ void sort_bitonic(unsigned *data) {
  __shared__ unsigned a[256];
  unsigned t = threadIdx.x;
  a[t] = data[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned by = size / 2; by > 0; by /= 2) {
      unsigned other = t ^ by;
      if (other > t && (a[t] > a[other]) == ((t & size) == 0)) {
        unsigned x = a[t];
        a[t] = a[other], a[other] = x;
      }
      __syncthreads();
    }
  data[blockIdx.x * 256 + t] = a[t];
}
