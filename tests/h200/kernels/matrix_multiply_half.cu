// mma of halves and of bfloat16 into floats, with small whole numbers: every order of additions gives the same.
// launch: kernel=matrix_multiply_half grid=1 block=32 args=in:u8[512]=random:38,out:f32[384]=0
extern "C" __global__ void matrix_multiply_half(const unsigned char *in, float *out) {
  unsigned t = threadIdx.x, a[4], b[2];
  float d[4];
  for (int kind = 0; kind < 2; kind++) {
    for (int i = 0; i < 6; i++) {
      unsigned v;
      float x = in[t * 16 + 2 * i] % 8, y = (int)in[t * 16 + 2 * i + 1] % 8 - 4;
      if (kind == 0)
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(v) : "f"(y), "f"(x));
      else
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(v) : "f"(y), "f"(x));
      if (i < 4)
        a[i] = v;
      else
        b[i - 4] = v;
    }
    for (int i = 0; i < 4; i++)
      d[i] = t + i * 0.5f;
    if (kind == 0)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i++)
      out[kind * 128 + t * 4 + i] = d[i];
  }
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0x3c003c00), "r"(0x40003c00), "r"(0x3c004000 + (t % 8 << 10)));
  for (int i = 0; i < 4; i++)
    out[256 + t * 4 + i] = d[i];
}
