// Arithmetic on doubles with every rounding.
// launch: kernel=double_arithmetic grid=1 block=256 args=values:b64[16]={0,0x8000000000000000,0x3ff0000000000000,0xbff8000000000000,0x400921fb54442d18,0x7fefffffffffffff,0x0010000000000000,0x000fffffffffffff,0x8000000000000001,0x7ff0000000000000,0xfff0000000000000,0x7ff8000000000000,0x4330000000000001,0x3fd5555555555555,0x41dfffffffc00000,0xc1e0000000000001},out:b64[9984]=0
#include "operations.h"

extern "C" __global__ void double_arithmetic(const double *values, double *out) {
  double a = FIRST(values), b = SECOND(values), c = THIRD(values);
  unsigned row = 0;
  (void)a, (void)b, (void)c;
  D2("add.f64");
  D2("add.rn.f64");
  D2("add.rz.f64");
  D2("add.rm.f64");
  D2("add.rp.f64");
  D2("sub.f64");
  D2("sub.rn.f64");
  D2("sub.rz.f64");
  D2("sub.rm.f64");
  D2("sub.rp.f64");
  D2("mul.f64");
  D2("mul.rn.f64");
  D2("mul.rz.f64");
  D2("mul.rm.f64");
  D2("mul.rp.f64");
  D2("div.rn.f64");
  D2("div.rz.f64");
  D2("div.rm.f64");
  D2("div.rp.f64");
  D2("min.f64");
  D2("max.f64");
  D2("copysign.f64");
  D1("abs.f64");
  D1("neg.f64");
  D1("rcp.rn.f64");
  D1("rcp.rz.f64");
  D1("rcp.rm.f64");
  D1("rcp.rp.f64");
  D1("sqrt.rn.f64");
  D1("sqrt.rz.f64");
  D1("sqrt.rm.f64");
  D1("sqrt.rp.f64");
  D3("fma.rn.f64");
  D3("fma.rz.f64");
  D3("fma.rm.f64");
  D3("fma.rp.f64");
  BINARY(double, "d", "{ .reg .pred p; setp.lt.f64 p, %1, %2; selp.f64 %0, %1, %2, p; } //", a, "d", b, "d");
  BINARY(double, "d", "{ .reg .pred p; setp.geu.f64 p, %1, %2; selp.f64 %0, %1, %2, p; } //", a, "d", b, "d");
  BINARY(double, "d", "{ .reg .pred p; setp.num.f64 p, %1, %2; selp.f64 %0, %1, %2, p; } //", a, "d", b, "d");
}
