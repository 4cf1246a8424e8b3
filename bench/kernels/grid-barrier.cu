// Barriers of a whole grid, by atomicAdd and polling with atomicAdd(p, 0).
extern "C" __global__ void barrier(unsigned *count, unsigned *data, unsigned *out, unsigned rounds) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  unsigned v = i;
  for (unsigned r = 0; r < rounds; r++) {
    if (r % 2 == 0) data[i] = v; else out[i] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (atomicAdd(count, 0u) < 3 * (r + 1)) ;
      __threadfence();
    }
    __syncthreads();
    v = (r % 2 == 0 ? data : out)[(i + 32) % 96];
  }
  if (v == 1000) out[0] = 7;
}
