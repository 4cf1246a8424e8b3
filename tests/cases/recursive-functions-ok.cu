// Functions that call themselves, once and twice, and each other.
// launch: kernel=numbers grid=1 block=32 args=out:u32[64]=0
// expect: clean
// final: out[10] == 55 && out[31] == 1 && out[32] == 2 && out[42] == 3628800
__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ unsigned odd(unsigned n);
__device__ __noinline__ unsigned even(unsigned n) { return n == 0 ? 2 : odd(n - 1); }
__device__ __noinline__ unsigned odd(unsigned n) { return n == 0 ? 1 : even(n - 1); }
__device__ __noinline__ unsigned factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
extern "C" __global__ void numbers(unsigned *out) {
  unsigned t = threadIdx.x;
  out[t] = t < 11 ? fib(t) : odd(t & 16 ? 0 : t & 3);
  out[32 + t] = t == 0 ? even(8) : factorial(t);
}
