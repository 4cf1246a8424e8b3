// Device functions that are called, not inlined, also through a table of pointers.
// launch: kernel=device_functions grid=1 block=64 args=in:u32[64]=random:10,out:u32[64]=0
struct Pair { unsigned a; unsigned long long b; };
__device__ __noinline__ unsigned mix(unsigned a, unsigned b) { return (a ^ b * 0x9e3779b9u) + (a >> 7); }
__device__ __noinline__ Pair split(unsigned long long x, unsigned char s) { Pair p; p.a = (unsigned)(x >> s); p.b = x * s + 1; return p; }
__device__ __noinline__ unsigned add(unsigned a, unsigned b) { return mix(a, b) + 1; }
__device__ __noinline__ unsigned take(unsigned a, unsigned b) { return a - b; }
typedef unsigned Operation(unsigned, unsigned);
__device__ Operation *const operations[3] = {add, take, mix};
extern "C" __global__ void device_functions(const unsigned *in, unsigned *out) {
  unsigned value = in[threadIdx.x];
  Pair p = split(((unsigned long long)value << 32) | threadIdx.x, threadIdx.x % 24);
  unsigned x = operations[value % 3](value, p.a);
  if (threadIdx.x & 1)
    x = mix(x, (unsigned)p.b);
  out[threadIdx.x] = x;
}
