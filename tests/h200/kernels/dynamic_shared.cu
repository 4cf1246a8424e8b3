// Dynamic shared memory behind static, with two types.
// launch: kernel=dynamic_shared grid=2 block=64 shared=1024 args=in:u32[128]=random:46,out:f64[128]=0
extern "C" __global__ void dynamic_shared(const unsigned *in, double *out) {
  extern __shared__ double cells[];
  __shared__ unsigned keys[64];
  unsigned t = threadIdx.x;
  keys[t] = in[blockIdx.x * 64 + t] % 64;
  cells[t] = 0.5 * t, cells[64 + t] = -1.0 * t;
  __syncthreads();
  out[blockIdx.x * 64 + t] = cells[keys[t]] + cells[64 + keys[63 - t]];
}
