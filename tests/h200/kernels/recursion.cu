// A function that calls itself.
// launch: kernel=recursion grid=1 block=32 args=out:u32[32]=0
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
extern "C" __global__ void recursion(unsigned *out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x / 6); }
