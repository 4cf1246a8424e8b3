// mma.sp: products of a matrix of which half of the elements are stored, of all kinds of elements and with all selectors.
// launch: kernel=sparse_products grid=1 block=32 args=out:u32[3968]=0
#include "matrices.h"

#define SMALL(operation, selector)                                                                 \
  asm volatile("mma." operation " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, " selector ";" \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                     \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(where)); \
  show(d, to)
#define LARGE(operation, selector)                                                                 \
  asm volatile("mma." operation " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, " selector ";" \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                     \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), \
                 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(where));                           \
  show(d, to)
#define SP "sp.sync.aligned."
#define ORDERED "sp::ordered_metadata.sync.aligned."

__device__ void show(const unsigned *d, unsigned *&to) {
  for (int i = 0; i < 4; i++)
    to[i] = d[i];
  to += 128;
}

struct Factors {
  unsigned a[4], b[4], c[4], where;
  __device__ Factors(Kind kind, unsigned seed, bool is_ordered) {
    unsigned base = seed * 1024 + threadIdx.x * 16;
    for (int i = 0; i < 4; i++) {
      a[i] = elements(mix(base + i), kind);
      b[i] = elements(mix(base + 4 + i), kind);
      c[i] = kind == WHOLE ? mix(base + 8 + i) >> 12 : __float_as_uint((float)(mix(base + 8 + i) & 63));
    }
    where = places(mix(base + 12), kind, is_ordered);
  }
};

#define BEGIN(kind, seed, is_ordered)                                                              \
  {                                                                                                \
    Factors factors(kind, seed, is_ordered);                                                       \
    const unsigned *a = factors.a, *b = factors.b, *c = factors.c, where = factors.where;          \
    unsigned d[4] = {0, 0, 0, 0};
#define END }

extern "C" __global__ void sparse_products(unsigned *out) {
  unsigned *to = out + threadIdx.x * 4;
  BEGIN(HALF, 1, true)
  SMALL(ORDERED "m16n8k16.row.col.f32.f16.f16.f32", "0");
  SMALL(ORDERED "m16n8k16.row.col.f32.f16.f16.f32", "1");
  SMALL(ORDERED "m16n8k16.row.col.f32.f16.f16.f32", "2");
  SMALL(ORDERED "m16n8k16.row.col.f32.f16.f16.f32", "3");
  LARGE(ORDERED "m16n8k32.row.col.f32.f16.f16.f32", "0");
  LARGE(ORDERED "m16n8k32.row.col.f32.f16.f16.f32", "1");
  LARGE(SP "m16n8k32.row.col.f32.f16.f16.f32", "1");
  unsigned x[2] = {0x3c004000, 0xbc000000};
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4,%5}, {%6,%7}, %8, 2;"
               : "=r"(d[0]), "=r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(x[0]), "r"(x[1]), "r"(where));
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%10,%11}, %12, 1;"
               : "=r"(d[2]), "=r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(x[0]), "r"(x[1]), "r"(where));
  show(d, to);
  END
  BEGIN(HALF, 2, false)
  SMALL(SP "m16n8k16.row.col.f32.f16.f16.f32", "3");
  LARGE(SP "m16n8k32.row.col.f32.f16.f16.f32", "0");
  END
  BEGIN(BFLOAT, 3, true)
  SMALL(ORDERED "m16n8k16.row.col.f32.bf16.bf16.f32", "1");
  LARGE(ORDERED "m16n8k32.row.col.f32.bf16.bf16.f32", "1");
  END
  BEGIN(TENSOR_FLOAT, 4, true)
  SMALL(ORDERED "m16n8k8.row.col.f32.tf32.tf32.f32", "0");
  SMALL(ORDERED "m16n8k8.row.col.f32.tf32.tf32.f32", "1");
  SMALL(ORDERED "m16n8k8.row.col.f32.tf32.tf32.f32", "2");
  SMALL(ORDERED "m16n8k8.row.col.f32.tf32.tf32.f32", "3");
  LARGE(ORDERED "m16n8k16.row.col.f32.tf32.tf32.f32", "0");
  LARGE(ORDERED "m16n8k16.row.col.f32.tf32.tf32.f32", "1");
  END
  BEGIN(WHOLE, 5, true)
  SMALL(ORDERED "m16n8k32.row.col.s32.s8.s8.s32", "0");
  SMALL(ORDERED "m16n8k32.row.col.s32.s8.s8.s32", "1");
  SMALL(ORDERED "m16n8k32.row.col.satfinite.s32.u8.s8.s32", "1");
  LARGE(ORDERED "m16n8k64.row.col.s32.s8.u8.s32", "0");
  SMALL(ORDERED "m16n8k64.row.col.s32.s4.s4.s32", "0");
  SMALL(ORDERED "m16n8k64.row.col.s32.u4.s4.s32", "1");
  LARGE(ORDERED "m16n8k128.row.col.s32.s4.u4.s32", "0");
  END
  BEGIN(WHOLE, 6, false)
  SMALL(SP "m16n8k32.row.col.s32.u8.u8.s32", "1");
  LARGE(SP "m16n8k64.row.col.s32.u8.u8.s32", "0");
  LARGE(SP "m16n8k128.row.col.s32.u4.u4.s32", "0");
  END
  BEGIN(E4M3, 7, true)
  LARGE(ORDERED "m16n8k64.row.col.f32.e4m3.e4m3.f32", "0");
  END
  BEGIN(E5M2, 8, true)
  LARGE(ORDERED "m16n8k64.row.col.f32.e5m2.e5m2.f32", "0");
  END
}
