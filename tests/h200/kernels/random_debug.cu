// Written by random_kernels.py 22 3.
// launch: kernel=random_22_0 grid=2 block=96 args=in:u32[768]=random:22,random_22_0_out:u32[192]=0
// launch: kernel=random_22_1 grid=2 block=96 args=in:u32[768]=random:22,random_22_1_out:u32[192]=0
// launch: kernel=random_22_2 grid=2 block=96 args=in:u32[768]=random:22,random_22_2_out:u32[192]=0
#include <cuda_fp16.h>

__device__ __noinline__ unsigned shifts(unsigned a, unsigned b)
{
  if (a == 0 || b > 0xf0000000u)
    return b;
  unsigned r = 0;
  for (unsigned i = 0; i < (a & 15); i++)
    r += b >> i;
  return r ^ a;
}

__device__ __noinline__ unsigned table(unsigned a, unsigned b)
{
  unsigned x[4] = {a, b, a ^ b, a + b};
  x[a & 3] += x[b & 3];
  return x[0] ^ x[(a >> 2) & 3] ^ x[3];
}

__device__ __noinline__ unsigned steps(unsigned a, unsigned b)
{
  while (a & 0xf0) {
    b = b * 5 + a;
    a >>= 3;
  }
  return a - b;
}

extern "C" __global__ void random_22_0(const unsigned *in, unsigned *out)
{
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, id = blockIdx.x * 96 + t, l[8];
  uint4 v = ((const uint4 *)in)[id];
  unsigned a = v.x, b = v.y, c = v.z, d = v.w;
  unsigned long long q = ((unsigned long long)a << 32) | c;
  float f = __uint2float_rn(b), g = __int_as_float((int)c);
  double h = __hiloint2double((int)a, (int)d);
  for (unsigned i = 0; i < 8; i++)
    l[i] = a * i + b;
  d *= __float_as_uint(__fsqrt_rn(__uint2float_rn(c)));
  for (unsigned i2 = 0; i2 < 3; i2++) {
    c = __shfl_sync(0xffffffffu, (c / (39u | 1u)), 16);
    if (t < 16) s[t] = __byte_perm(6u, t, (unsigned)q); __syncthreads(); atomicMax(&s[((int)(unsigned)q >= (int)3u ? d : d) & 15], (b ^ d)); __syncthreads(); b += s[t & 15]; __syncthreads();
  }
  if ((40u + d) & 1) {
    ((unsigned short *)l)[((unsigned)__double2loint((double)f) == ((unsigned)__double2hiint(0.1) ^ t) ? __byte_perm((unsigned)q, 35u, 1u) : __byte_perm(t, l[b & 7], (unsigned)q)) & 15] = (unsigned short)(((unsigned)__double2hiint(__fma_rz(h, 0.1, h)) ^ (t / (a | 1u))) * 3u);
    c += __funnelshift_lc(__funnelshift_r(t, b, c), ((unsigned char *)l)[d & 31], ((unsigned char *)l)[36u & 31]);
  } else {
    if ((12u & d) & 2) {
      q = __umul64hi(q, q + ((unsigned)__double2hiint(__fma_ru(__dsqrt_rn(-3.0e-310), __ddiv_rn(__uint2double_rn(a), __uint2double_rn(c)), __dsub_ru((double)f, h))) ^ __umulhi((a % (b | 1u)), __umulhi(30u, (unsigned)q))));
    }
    d -= (unsigned)__double2loint(0.1);
  }
  if ((unsigned)__mulhi((int)t, (int)(unsigned)q) & 4) {
    if ((unsigned)__mulhi((int)l[b & 7], (int)a) & 1) {
      l[((20u >= 0x80000000u ? t : l[d & 7]) & (unsigned)(q >> (0x80000000u & 63))) & 7] = (unsigned)((int)((unsigned)(unsigned char)(3466818527u) >> 1) % (int)((((unsigned)q * 5u) & 0xffff) | 1u));
      for (unsigned i15 = 0; i15 < 2; i15++) {
        l[(((int)47u >= (int)0xffffffffu ? 42u : 20u) | ((int)0xffffffffu < (int)l[b & 7] ? 3u : t)) & 7] = (unsigned)((int)(__vcmpgtu4(d, (unsigned)q) >> 1) / (int)(((unsigned)((int)(c >> 1) % (int)((t & 0xffff) | 1u)) & 0xffff) | 1u));
        c = (unsigned)((int)d >> (a & 31));
      }
    }
    b = __sad((int)(t - 30u), (int)(unsigned)((int)b >> ((unsigned)q & 31)), __sad((int)1u, (int)t, b));
  } else {
    q ^= (unsigned long long)(unsigned)(q >> ((unsigned)__half_as_ushort(__ushort_as_half((unsigned short)c)) & 63)) * (((unsigned)__double2loint((double)f) - (61u - t)) & 31);
  }
  q *= (unsigned long long)(d * b) * (((c - 33u) ^ (unsigned)__dp4a((int)l[a & 7], (int)17u, (int)b)) & 31);
  if (__vabsdiffu4((unsigned)q, 571749582u) & 2) {
    b = (unsigned)(short)(d);
    d = (unsigned)min((int)(unsigned)((int)1u >> (7u & 31)), (int)(unsigned)__double2loint((double)f));
  }
  c ^= ((int)((unsigned)q & d) < (int)__umulhi(l[d & 7], 1268757868u) ? __vcmpgtu4(0xffffffffu, 1u) : __byte_perm(1u, 0x80000000u, b));
  b ^= __ballot_sync(0xffffffffu, __sad((int)t, (int)l[d & 7], t) & 4);
  unsigned sum = a ^ (b * 3) ^ (c * 5) ^ (d * 7) ^ (unsigned)q ^ (unsigned)(q >> 32) ^ __float_as_uint(f);
  sum ^= (unsigned)__double2hiint(h) ^ (unsigned)__double2loint(h);
  for (unsigned i = 0; i < 8; i++)
    sum += l[i] * i;
  out[id] = sum;
}

extern "C" __global__ void random_22_1(const unsigned *in, unsigned *out)
{
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, id = blockIdx.x * 96 + t, l[8];
  uint4 v = ((const uint4 *)in)[id];
  unsigned a = v.x, b = v.y, c = v.z, d = v.w;
  unsigned long long q = ((unsigned long long)a << 32) | c;
  float f = __uint2float_rn(b), g = __int_as_float((int)c);
  double h = __hiloint2double((int)a, (int)d);
  for (unsigned i = 0; i < 8; i++)
    l[i] = a * i + b;
  for (unsigned i25 = 0, ni25 = (unsigned)__clz(l[d & 7]) & 7; i25 < ni25; i25++) {
    if ((unsigned)__brev(1u) & 1) {
      a ^= __sad((int)(unsigned)__mulhi((int)3u, (int)27u), (int)(unsigned)__clz(b), (3u ^ c));
    } else {
      if (__byte_perm(d, l[a & 7], 45u) & 4) {
        q = (unsigned long long)((long long)q / (long long)((__byte_perm(__umulhi(d, 15u), ((unsigned)__double2hiint(h) ^ t), (986429355u + 36u)) & 0xffffff) | 1u));
      } else {
        q = __brevll(q) ^ __float_as_uint(__frcp_rn(f));
      }
      c -= (unsigned)(q >> (t & 63));
    }
    q = (unsigned long long)((long long)q / (long long)(((unsigned)(short)((unsigned)__float2int_ru(f)) & 0xffffff) | 1u));
  }
  q = (unsigned long long)(unsigned)__half_as_ushort(__ushort_as_half((unsigned short)c)) * (__sad((int)__sad((int)3860903285u, (int)l[a & 7], (unsigned)q), (int)__funnelshift_r(l[c & 7], 3828569282u, (unsigned)q), (unsigned)__float2int_rn(__int2float_rz((int)b))) & 31);
  for (unsigned i34 = 0, ni34 = (unsigned)__double2int_ru(0.1) & 7; i34 < ni34; i34++) {
    switch (__float_as_uint(__uint2float_rn(d)) & 3) {
    case 0:
      q = (unsigned long long)((long long)q >> ((unsigned)max((int)max(1409971266u, 5u), (int)(unsigned)((int)(c >> 1) / (int)(((unsigned)q & 0xffff) | 1u))) & 63));
    case 1:
      q = (unsigned long long)((long long)q >> ((unsigned)__mulhi((int)b, (int)1u) & 63));
      break;
    default:
      f = fabsf(truncf(__int2float_rz((int)b)));
      break;
    }
  }
  l[((a * b) << ((13u / (0xffffffffu | 1u)) & 31)) & 7] = ((unsigned char *)l)[(unsigned)((int)(b >> 1) % (int)((l[a & 7] & 0xffff) | 1u)) & 31];
  f = __fmul_rz(f, __uint2float_rn(c));
  h = __dmul_rd(__dsqrt_rn(h), __dsub_rd(__uint2double_rn(b), h));
  c ^= __ballot_sync(0xffffffffu, shifts(l[d & 7], t) & 4);
  unsigned sum = a ^ (b * 3) ^ (c * 5) ^ (d * 7) ^ (unsigned)q ^ (unsigned)(q >> 32) ^ __float_as_uint(f);
  sum ^= (unsigned)__double2hiint(h) ^ (unsigned)__double2loint(h);
  for (unsigned i = 0; i < 8; i++)
    sum += l[i] * i;
  out[id] = sum;
}

extern "C" __global__ void random_22_2(const unsigned *in, unsigned *out)
{
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, id = blockIdx.x * 96 + t, l[8];
  uint4 v = ((const uint4 *)in)[id];
  unsigned a = v.x, b = v.y, c = v.z, d = v.w;
  unsigned long long q = ((unsigned long long)a << 32) | c;
  float f = __uint2float_rn(b), g = __int_as_float((int)c);
  double h = __hiloint2double((int)a, (int)d);
  for (unsigned i = 0; i < 8; i++)
    l[i] = a * i + b;
  q = (unsigned long long)__funnelshift_r(24u, c, b) * ((unsigned)__double2int_rz(__ddiv_rn(h, -3.0e-310)) & 31);
  h = __dsub_rn(__dsub_ru((double)f, (double)f), __dsqrt_rn(h));
  c ^= __float_as_uint(__fadd_ru(__half2float(__ushort_as_half((unsigned short)a)), __fsub_rd(g, __uint2float_rn(b))));
  ((unsigned short *)s)[t] = (unsigned short)((unsigned)__double2int_rn((double)f) * 3u); __syncthreads(); a += ((unsigned short *)s)[(t * 2 + 62) % 96]; __syncthreads();
  f = fminf(__fmaf_rd(__uint2float_rn(d), __int2float_rz((int)d), f), __fsub_rd(__int2float_rz((int)a), -0.0f));
  if (((unsigned)q / (b | 1u)) & 2) {
    f = __fmaf_ru(__fmaf_rd(-0.0f, f, __int2float_rz((int)c)), __fdiv_rn(__int2float_rz((int)d), -0.0f), __fdiv_rn(3.25e-39f, f));
  } else {
    if (((unsigned char *)l)[d & 31] & 1) {
      f = __fmul_rd(__half2float(__ushort_as_half((unsigned short)b)), __frcp_rn(f));
    }
  }
  a += (unsigned)__all_sync(0xffffffffu, __float_as_uint(__int2float_rz((int)d)) == 3u);
  c = (unsigned)__double2loint(__dsqrt_rn((double)f));
  a ^= __umulhi((unsigned)__dp4a((int)0x80000000u, (int)(unsigned)q, (int)2730541697u), (unsigned)((int)d >> ((unsigned)q & 31)));
  unsigned sum = a ^ (b * 3) ^ (c * 5) ^ (d * 7) ^ (unsigned)q ^ (unsigned)(q >> 32) ^ __float_as_uint(f);
  sum ^= (unsigned)__double2hiint(h) ^ (unsigned)__double2loint(h);
  for (unsigned i = 0; i < 8; i++)
    sum += l[i] * i;
  out[id] = sum;
}
