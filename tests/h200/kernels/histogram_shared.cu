// Histogram in shared memory, added to the one in global memory.
// launch: kernel=histogram_shared grid=4 block=128 args=in:u8[4096]=random:21,out:u32[256]=0
extern "C" __global__ void histogram_shared(const unsigned char *in, unsigned *out) {
  __shared__ unsigned bins[256];
  for (unsigned i = threadIdx.x; i < 256; i += 128)
    bins[i] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 1024; i += 128)
    atomicAdd(&bins[in[blockIdx.x * 1024 + i]], 1);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += 128)
    atomicAdd(&out[i], bins[i]);
}
