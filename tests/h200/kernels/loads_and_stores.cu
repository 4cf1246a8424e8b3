// Loads and stores of every width, with sign and zero extension, vectors and cache operators.
// launch: kernel=loads_and_stores grid=1 block=64 args=in:u8[1024]=random:7,out:u64[1024]=0,bytes:u8[1024]=0
extern "C" __global__ void loads_and_stores(const unsigned char *in, unsigned long long *out, unsigned char *bytes) {
  unsigned thread = threadIdx.x, row = 0;
#define PUT(value) out[row++ * 64 + thread] = (value)
  const unsigned char *p = in + thread * 16;
  PUT(*p);
  PUT((long long)*(const signed char *)(p + 1));
  PUT(*(const unsigned short *)(p + 2));
  PUT((long long)*(const short *)(p + 4));
  PUT(*(const unsigned *)(p + 4));
  PUT((long long)*(const int *)(p + 8));
  PUT(*(const unsigned long long *)(p + 8));
  uint4 four = *(const uint4 *)p;
  PUT(four.x ^ ((unsigned long long)four.w << 32));
  uchar4 small = *(const uchar4 *)(p + 12);
  PUT(small.x + 256 * small.w);
  ulonglong2 two = __ldcg((const ulonglong2 *)p);
  PUT(two.x - two.y);
  PUT(__ldg((const unsigned *)p));
  PUT(__ldcs((const short *)p) + 0x8000);
  PUT(__ldcv((const unsigned *)(p + 8)));
  unsigned char *q = bytes + thread * 16;
  *(ushort2 *)q = make_ushort2(thread, thread * 3);
  *(uint2 *)(q + 8) = make_uint2(thread * 77, ~thread);
  q[5] = 0xab;
  __stcs((short *)(q + 6), (short)-thread);
}
