// Block barriers that reduce predicates, and barriers of parts of a block.
// launch: kernel=barrier_reductions grid=2 block=128 args=in:u32[256]=random:11,out:u32[512]=0
extern "C" __global__ void barrier_reductions(const unsigned *in, unsigned *out) {
  unsigned thread = threadIdx.x, value = in[blockIdx.x * 128 + thread];
  unsigned count = __syncthreads_count(value & 1), all = __syncthreads_and(value != 7), any = __syncthreads_or(value % 64 == 0);
  out[blockIdx.x * 128 + thread] = count * 4 + (all != 0) * 2 + (any != 0);
  __shared__ unsigned row[128];
  row[thread] = value;
  asm volatile("barrier.cta.sync %0, 64;" ::"r"(1 + thread / 64) : "memory");
  out[256 + blockIdx.x * 128 + thread] = row[thread ^ 33];
}
