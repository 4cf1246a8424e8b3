// mma.m8n8k4: four products at a time, each by the threads of two quads; halves in all layouts.
// launch: kernel=products_by_quads grid=1 block=32 args=out:u32[2560]=0
#include "matrices.h"

#define OF_FLOATS(layout)                                                                          \
  asm volatile("mma.sync.aligned.m8n8k4." layout ".f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19};" \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7]) \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), \
                 "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]));                                       \
  show(d, to)
#define OF_HALVES(layout)                                                                          \
  asm volatile("mma.sync.aligned.m8n8k4." layout ".f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11};" \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                     \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3])); \
  show(d, to)

__device__ void show(const unsigned *d, unsigned *&to) {
  for (int i = 0; i < 8; i++)
    to[i] = d[i];
  to += 256;
}

extern "C" __global__ void products_by_quads(unsigned *out) {
  unsigned *to = out + threadIdx.x * 8, a[2], b[2], c[8], h[4], d[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 8; i++)
    c[i] = __float_as_uint((float)(threadIdx.x * 8 + i));
  for (int i = 0; i < 4; i++)
    h[i] = elements(mix(threadIdx.x * 8 + i), HALF);
  for (int i = 0; i < 2; i++) {
    a[i] = elements(mix(1000 + threadIdx.x * 8 + i), HALF);
    b[i] = elements(mix(2000 + threadIdx.x * 8 + i), HALF);
  }
  OF_FLOATS("row.col");
  OF_FLOATS("row.row");
  OF_FLOATS("col.row");
  OF_FLOATS("col.col");
  OF_HALVES("row.col");
  OF_HALVES("row.row");
  OF_HALVES("col.row");
  OF_HALVES("col.col");
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15};"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3]));
  show(d, to);
}
