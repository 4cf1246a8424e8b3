// Atomic operations of 64 bits, and of floating-point numbers whose sums are exact.
// launch: kernel=atomics_64 grid=3 block=96 args=in:u64[288]=random:5,out:u64[8]={0,0xffffffffffffffff,0,0xffffffffffffffff,0,0,0x7fffffffffffffff,0},f:f32[2]=0,d:f64[1]=0,h:u32[1]=0
#include <cuda_fp16.h>
extern "C" __global__ void atomics_64(const unsigned long long *in, unsigned long long *out, float *f, double *d, unsigned *h) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long value = in[thread];
  atomicAdd(out + 0, value);
  atomicAnd(out + 1, value | 0xffff);
  atomicOr(out + 2, value & 0xf0f);
  atomicMin(out + 3, value);
  atomicMax(out + 4, value);
  atomicXor(out + 5, value);
  atomicMin((long long *)out + 6, (long long)value);
  unsigned long long seen = 0, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(out + 7, assumed, assumed + 5);
  } while (seen != assumed);
  atomicAdd(f, (float)(thread % 7) * 0.5f);
  atomicAdd(f + 1, -1.0f);
  atomicAdd(d, (double)thread * 0.25);
  atomicAdd((__half2 *)h, __floats2half2_rn(1.0f, 0.5f));
}
