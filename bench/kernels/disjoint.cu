// Threads that touch nothing in common.
extern "C" __global__ void plain(const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  unsigned v = in[i];
  for (int k = 0; k < 16; k++) { v = v * 3 + 1; out[i] += v; }
}
