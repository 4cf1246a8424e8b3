// Histogram by atomic additions to global memory.
// launch: kernel=histogram_global grid=8 block=64 args=in:u32[512]=random:22,out:u32[32]=0
extern "C" __global__ void histogram_global(const unsigned *in, unsigned *out) {
  atomicAdd(&out[in[blockIdx.x * 64 + threadIdx.x] % 32], 1);
}
