// Odd-even transposition sort of 64-bit numbers, signed.
// launch: kernel=sort_odd_even grid=1 block=64 args=data:s64[128]=random:18
extern "C" __global__ void sort_odd_even(long long *data) {
  unsigned t = threadIdx.x;
  for (unsigned phase = 0; phase < 128; phase++) {
    unsigned i = 2 * t + phase % 2;
    if (i + 1 < 128 && data[i] > data[i + 1]) {
      long long x = data[i];
      data[i] = data[i + 1], data[i + 1] = x;
    }
    __syncthreads();
  }
}
