// Atomic operations on shared memory, and tickets.
// launch: kernel=atomics_shared grid=2 block=256 args=in:u32[512]=random:6,out:u32[512]=0,sums:u32[16]=0
extern "C" __global__ void atomics_shared(const unsigned *in, unsigned *out, unsigned *sums) {
  __shared__ unsigned cells[8], tickets[256];
  unsigned thread = threadIdx.x, value = in[blockIdx.x * 256 + thread];
  if (thread < 8)
    cells[thread] = thread == 2 ? ~0u : 0;
  __syncthreads();
  atomicAdd(cells + 0, value);
  atomicXor(cells + 1, value);
  atomicMin(cells + 2, value);
  atomicMax(cells + 3, value);
  atomicOr(cells + 4, 1u << value % 32);
  tickets[atomicAdd(cells + 5, 1)] = 1;
  atomicInc(cells + 6, 30);
  __syncthreads();
  out[blockIdx.x * 256 + thread] = tickets[thread];
  if (thread < 8)
    sums[blockIdx.x * 8 + thread] = cells[thread];
}
