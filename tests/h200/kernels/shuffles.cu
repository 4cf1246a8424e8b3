// Shuffles of every kind, with segments and bounds, and the predicate that tells a source in range.
// launch: kernel=shuffles grid=1 block=32 args=out:u32[2816]=0
extern "C" __global__ void shuffles(unsigned *out) {
  unsigned lane = threadIdx.x, value = lane * 2654435761u, row = 0;
#define SHUFFLE(mode, b, c)                                                                        \
  {                                                                                                \
    unsigned d, p;                                                                                 \
    asm volatile("{ .reg .pred q; shfl.sync." mode ".b32 %0|q, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, q; }" \
                 : "=r"(d), "=r"(p)                                                                \
                 : "r"(value), "r"(b), "r"(c));                                                    \
    out[row++ * 32 + lane] = d;                                                                    \
    out[row++ * 32 + lane] = p;                                                                    \
  }
  for (unsigned step = 0; step < 7; step++) {
    unsigned by = step * 5;
    SHUFFLE("up", by, 0)
    SHUFFLE("down", by, 0x1f)
    SHUFFLE("bfly", by, 0x1f)
    SHUFFLE("idx", by + lane * 3, 0x1f)
    if (step % 2 == 0) {
      SHUFFLE("up", by & 7, 0x1800)
      SHUFFLE("idx", lane ^ by, 0x181f)
      SHUFFLE("bfly", by, 0x1c03)
      SHUFFLE("down", by & 3, 0x1c1f)
    }
  }
}
