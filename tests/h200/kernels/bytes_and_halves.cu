// Neighbouring bytes and halves written by different threads of one word.
// launch: kernel=bytes_and_halves grid=1 block=128 args=in:u8[128]=random:43,bytes:u8[128]=0,halves:u16[128]=0,sum:f16[64]=0
#include <cuda_fp16.h>
extern "C" __global__ void bytes_and_halves(const unsigned char *in, unsigned char *bytes, unsigned short *halves, __half *sum) {
  unsigned t = threadIdx.x;
  bytes[t ^ 3] = in[t] + 1;
  halves[127 - t] = in[t] * 257u;
  if (t < 64)
    sum[t] = __hadd_rn(__ushort2half_rn(in[t]), __hmul_rn(__float2half(0.1f), __ushort2half_rn(in[t + 64])));
}
