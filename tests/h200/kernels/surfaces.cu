// Surfaces: stores that convert to the format, reductions, gathers of four texels; places outside.
// launch: kernel=surfaces grid=1 block=32 args=counts:u32[16,8]:surf2d=iota,signs:s32[16,8]:surf2d=-3,pairs:u32[2,8,8]:surf2d=iota,halves:f16[8,8]:surf2d=0,bytes:u8[4,8,8]:surf2d=iota,words:s16[2,8,8]:surf2d=iota,floats:f32[8,8]:surf2d=iota,line:u32[40]:surf1d=iota,colours:f32[4,8,6]:tex2d=random:70,numbers:s32[8,6]:tex2d=random:71,out:u32[1920]=0
#include <cuda_runtime.h>

#define GATHER(channel, type, from)                                                                \
  asm volatile("tld4." channel ".2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"             \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "l"(from), "f"(x), "f"(y));      \
  for (int i = 0; i < 4; i++, to += 32)                                                            \
    *to = d[i]
#define REDUCE(operation, suffix, from, a, b, value) \
  asm volatile("sured." operation ".2d." suffix " [%0, {%1, %2}], %3;" ::"l"(from), "r"(a), "r"(b), "r"(value) : "memory")

extern "C" __global__ void surfaces(cudaSurfaceObject_t counts, cudaSurfaceObject_t signs, cudaSurfaceObject_t pairs, cudaSurfaceObject_t halves,
                                    cudaSurfaceObject_t bytes, cudaSurfaceObject_t words, cudaSurfaceObject_t floats, cudaSurfaceObject_t line,
                                    cudaTextureObject_t colours, cudaTextureObject_t numbers, unsigned *out) {
  unsigned t = threadIdx.x, d[4], *to = out + t;
  int a = (int)(t % 8), b = (int)(t / 8);
  // Four texels around a place; also at the borders.
  for (int step = 0; step < 3; step++) {
    float x = (float)a * 1.25f - 0.75f + (float)step, y = (float)b * 2.25f - 0.75f;
    GATHER("r", "f32", colours);
    GATHER("g", "f32", colours);
    GATHER("b", "f32", colours);
    GATHER("a", "f32", colours);
    GATHER("r", "s32", numbers);
  }
  // Reductions: the place counts bytes, or elements.
  REDUCE("b.add", "u32.trap", counts, 4 * a, b, t);
  REDUCE("b.add", "u32.clamp", counts, 4 * a + 48, b + 6, 1);
  REDUCE("b.add", "u32.zero", counts, 4 * a - 8, b - 1, 1000);
  REDUCE("b.min", "u32.trap", counts, 4 * a + 32, b, 40 - t);
  REDUCE("b.max", "u32.trap", counts, 4 * a + 32, 4 + b % 2, 40 + t);
  REDUCE("b.or", "b32.trap", counts, 4 * a, 6, 1u << t);
  REDUCE("b.and", "b32.trap", counts, 4 * a, 7, ~t);
  REDUCE("b.min", "s32.trap", signs, 4 * a, b, t - 20);
  REDUCE("b.max", "s32.trap", signs, 4 * a + 32, b, t - 20);
  REDUCE("p.add", "b32.trap", signs, a, 4 + b % 2, t);
  REDUCE("p.min", "b32.trap", signs, a + 8, 4 + b % 2, t - 20);
  REDUCE("p.max", "b32.clamp", signs, a + 12, 6 + b, t - 20);
  asm volatile("sured.b.add.2d.u64.trap [%0, {%1, %2}], %3;" ::"l"(pairs), "r"(8 * a), "r"(b), "l"(0xfffffff0ull + t) : "memory");
  asm volatile("sured.b.add.1d.u32.clamp [%0, {%1}], %2;" ::"l"(line), "r"(8 * (int)t - 32), "r"(3) : "memory");
  asm volatile("sured.p.max.1d.b32.zero [%0, {%1}], %2;" ::"l"(line), "r"(2 * (int)t + (t < 19 ? 1 : 9)), "r"(30) : "memory");
  // Stores of floats and of whole numbers: what does not fit the format.
  float value = (float)((int)t - 12) * 1234.567f;
  asm volatile("sust.p.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(halves), "r"(a), "r"(b), "f"(value) : "memory");
  asm volatile("sust.p.2d.b32.zero [%0, {%1, %2}], {%3};" ::"l"(halves), "r"(a + 4), "r"(b + 4), "f"((float)t * 1e-7f) : "memory");
  asm volatile("sust.p.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(floats), "r"(a), "r"(b), "f"(value) : "memory");
  asm volatile("sust.p.2d.v4.b32.trap [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(bytes), "r"(a), "r"(b), "r"(t), "r"(250 + t), "r"(-t), "r"(t << 24) : "memory");
  asm volatile("sust.p.2d.v2.b32.trap [%0, {%1, %2}], {%3, %4};" ::"l"(words), "r"(a), "r"(b), "r"(32760 + t), "r"(-32760 - (int)t) : "memory");
}
