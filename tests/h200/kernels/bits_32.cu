// Bit operations on 32 bits: logic, shifts with large counts, fields, permutations, truth tables.
// launch: kernel=bits_32 grid=1 block=256 args=values:u32[16]={0,1,2,3,5,31,32,33,255,256,0x7fff,0x8000,0xffff,0x7fffffff,0x80000000,0xffffffff},out:u32[8448]=0
#include "operations.h"

extern "C" __global__ void bits_32(const unsigned *values, unsigned *out) {
  unsigned a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  U2("and.b32");
  U2("or.b32");
  U2("xor.b32");
  U2("shl.b32");
  U2("shr.s32");
  U2("shr.u32");
  U2("shr.b32");
  U2("bmsk.clamp.b32");
  U2("bmsk.wrap.b32");
  U2("szext.clamp.s32");
  U2("szext.wrap.s32");
  U2("szext.clamp.u32");
  U2("szext.wrap.u32");
  U3("shf.l.wrap.b32");
  U3("shf.l.clamp.b32");
  U3("shf.r.wrap.b32");
  U3("shf.r.clamp.b32");
  U3("bfe.s32");
  U3("bfe.u32");
  U3("prmt.b32");
  U3("prmt.b32.f4e");
  U3("prmt.b32.b4e");
  U3("prmt.b32.rc8");
  U3("prmt.b32.ecl");
  U3("prmt.b32.ecr");
  U3("prmt.b32.rc16");
  U3("{ .reg .b32 t; lop3.b32 t, %1, %2, %3, 0x96; mov.b32 %0, t; } //");
  U3("{ .reg .b32 t; lop3.b32 t, %1, %2, %3, 0xe8; mov.b32 %0, t; } //");
  U3("{ .reg .b32 t; lop3.b32 t, %1, %2, %3, 0x1f; mov.b32 %0, t; } //");
  U3("{ .reg .b32 t; lop3.b32 t, %1, %2, %3, 0x80; mov.b32 %0, t; } //");
  U3("{ .reg .b32 t; lop3.b32 t, %1, %2, %3, 0x01; mov.b32 %0, t; } //");
  { unsigned d_; asm volatile("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d_) : "r"(a), "r"(b), "r"(c), "r"(c >> 3)); PUT(d_); }
  { unsigned d_; asm volatile("fns.b32 %0, %1, %2, %3;" : "=r"(d_) : "r"(a), "r"(b % 32), "r"((int)(c % 9) - 4)); PUT(d_); }
}
