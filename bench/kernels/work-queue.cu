// Threads, and blocks, take work from a counter until none is left.
extern "C" __global__ void items(unsigned *next, unsigned count, unsigned *out) {
  for (;;) {
    unsigned i = atomicAdd(next, 1u);
    if (i >= count)
      break;
    out[i] = 2 * i;
  }
}

extern "C" __global__ void tiles(unsigned *next, unsigned count, unsigned *out) {
  __shared__ unsigned tile;
  for (;;) {
    if (threadIdx.x == 0)
      tile = atomicAdd(next, 1u);
    __syncthreads();
    unsigned mine = tile;
    __syncthreads();
    if (mine >= count)
      break;
    out[mine * blockDim.x + threadIdx.x] = mine;
  }
}
