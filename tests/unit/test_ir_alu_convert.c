// Conversion: against C's own where C defines it, and at edges, by hand.
#include "alu_unit.h"

#include <fenv.h>
#include <math.h>

#define CVT(to, from, ...)                                                                         \
  { .op = ALU_CVT, .type = ALU_TYPE_##to, .source = ALU_TYPE_##from, __VA_ARGS__ }
#define NEAREST .rounding = ALU_ROUND_NEAREST
#define ZERO .rounding = ALU_ROUND_ZERO
#define DOWN .rounding = ALU_ROUND_DOWN
#define UP .rounding = ALU_ROUND_UP

static void between_integers(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {CVT(U8, U32, .flags = 0), {0x1ff}, {0xff}},
      {CVT(U32, U8, .flags = 0), {0x1ff}, {0xff}},
      {CVT(S32, S8, .flags = 0), {0x180}, {0xffffff80}},
      {CVT(S64, S32, .flags = 0), {0x80000000}, {0xffffffff80000000}},
      {CVT(U64, S32, .flags = 0), {0xffffffff}, {UINT64_MAX}},
      {CVT(S64, U32, .flags = 0), {0xffffffff}, {0xffffffff}},
      {CVT(S16, S8, .flags = 0), {0x80}, {0xff80}},
      {CVT(U8, S32, .flags = ALU_SAT), {0xffffffff}, {0}},
      {CVT(U8, S32, .flags = ALU_SAT), {256}, {255}},
      {CVT(S8, S32, .flags = ALU_SAT), {0xffffff00}, {0x80}},
      {CVT(S8, U32, .flags = ALU_SAT), {0xffffffff}, {0x7f}},
      {CVT(S32, U64, .flags = ALU_SAT), {UINT64_MAX}, {0x7fffffff}},
      {CVT(U64, S64, .flags = ALU_SAT), {UINT64_MAX}, {0}},
      // Into a wider register: by the sign of the type.
      {CVT(S8, S32, .width = 32), {0x80}, {0xffffff80}},
      {CVT(U8, S32, .width = 32), {0x180}, {0x80}},
      {CVT(S16, F32, .width = 64, ZERO), {0xc7000000}, {0xffffffffffff8000}}, // -32768
  };
  ALU_CHECK(cases);
}

static void floats_to_integers(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {CVT(S32, F32, NEAREST), {0x3f000000}, {0}},          // 0.5
      {CVT(S32, F32, NEAREST), {0x3fc00000}, {2}},          // 1.5
      {CVT(S32, F32, NEAREST), {0x40200000}, {2}},          // 2.5
      {CVT(S32, F32, NEAREST), {0xc0200000}, {0xfffffffe}}, // -2.5
      {CVT(S32, F32, ZERO), {0xc0200000}, {0xfffffffe}},
      {CVT(S32, F32, DOWN), {0xc0200000}, {0xfffffffd}},
      {CVT(S32, F32, UP), {0x00000001}, {1}},
      {CVT(S32, F32, UP, .flags = ALU_FTZ), {0x00000001}, {0}},
      {CVT(S32, F32, DOWN), {0x80000001}, {0xffffffff}},
      {CVT(U32, F32, DOWN), {0x80000001}, {0}},
      {CVT(U32, F32, ZERO), {0xbf800000}, {0}},
      {CVT(S32, F32, ZERO), {0x4f000000}, {0x7fffffff}}, // 2^31
      {CVT(S32, F32, ZERO), {0xcf000000}, {0x80000000}}, // -2^31
      {CVT(S32, F32, ZERO), {0xff800000}, {0x80000000}},
      {CVT(U32, F32, ZERO), {0x4f800000}, {0xffffffff}},
      {CVT(U64, F32, ZERO), {0x5f800000}, {UINT64_MAX}}, // 2^64
      {CVT(S64, F64, ZERO), {0x43e0000000000000}, {INT64_MAX}},
      {CVT(S64, F64, ZERO), {0xc3e0000000000000}, {UINT64_C(1) << 63}},
      {CVT(U64, F64, ZERO), {0x43effffffffffffe}, {0xfffffffffffff000}},
      {CVT(S8, F32, ZERO), {0x43480000}, {0x7f}}, // 200
      {CVT(U8, F32, ZERO), {0x43480000}, {200}},
      {CVT(S16, F16, NEAREST), {0x7bff}, {0x7fff}}, // 65504
      // NaN
      {CVT(S32, F32, ZERO), {0x7fc00000}, {0}},
      {CVT(U8, F16, ZERO), {0x7e00}, {0}},
      {CVT(S64, F32, ZERO), {0x7fc00000}, {UINT64_C(1) << 63}},
      {CVT(U64, F32, ZERO), {0x7fc00000}, {UINT64_C(1) << 63}},
      {CVT(S32, F64, ZERO), {0x7ff8000000000000}, {0x80000000}},
      {CVT(U16, F64, ZERO), {0x7ff8000000000000}, {0x8000}},
  };
  ALU_CHECK(cases);
}

static const int host_roundings[] = {
    [ALU_ROUND_NEAREST] = FE_TONEAREST,
    [ALU_ROUND_ZERO] = FE_TOWARDZERO,
    [ALU_ROUND_DOWN] = FE_DOWNWARD,
    [ALU_ROUND_UP] = FE_UPWARD,
};

// Integers to f32 and f64, f64 to f32, and rounding to whole numbers, in every rounding mode.
static void random_numbers_agree_with_the_host(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int i = 0; i < 40000; i++) {
    uint8_t rounding = (uint8_t)(i % 4);
    uint64_t bits = alu_random(&seed) >> (alu_random(&seed) % 64);
    volatile int64_t number = (int64_t)bits;
    volatile double real = ldexp((double)number, -(int)(alu_random(&seed) % 200));
    fesetround(host_roundings[rounding]);
    volatile float single = (float)number, from_double = (float)real;
    volatile double whole = nearbyint(real), large = (double)number;
    volatile float from_unsigned = (float)(uint64_t)number;
    fesetround(FE_TONEAREST);
    AluOperation operation = CVT(F32, S64, .rounding = rounding);
    assert_int_equal(alu_one(operation, bits, 0, 0), bits_of_float(single));
    operation.source = ALU_TYPE_U64;
    assert_int_equal(alu_one(operation, bits, 0, 0), bits_of_float(from_unsigned));
    operation.source = ALU_TYPE_F64;
    assert_int_equal(alu_one(operation, bits_of_double(real), 0, 0), bits_of_float(from_double));
    AluOperation to_double = CVT(F64, S64, .rounding = rounding);
    assert_int_equal(alu_one(to_double, bits, 0, 0), bits_of_double(large));
    AluOperation integral = CVT(F64, F64, .rounding = rounding, .flags = ALU_INTEGRAL);
    assert_int_equal(alu_one(integral, bits_of_double(real), 0, 0), bits_of_double(whole));
  }
}

static void between_floats(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {CVT(F64, F32, .flags = 0), {1}, {0x36a0000000000000}}, // 2^-149
      {CVT(F32, F16, .flags = 0), {0x0001}, {0x33800000}},
      {CVT(F32, F16, .flags = 0), {0xfc00}, {0xff800000}},
      {CVT(F32, F16, .flags = 0), {0x7c01}, {0x7fffffff}},
      {CVT(F32, BF16, .flags = 0), {0x7f81}, {0x7f810000}},
      {CVT(F16, F32, NEAREST), {0x477fefff}, {0x7bff}}, // below 65520
      {CVT(F16, F32, NEAREST), {0x477ff000}, {0x7c00}}, // 65520
      {CVT(F16, F32, ZERO), {0x7f800000}, {0x7c00}},
      {CVT(F16, F32, ZERO), {0x7f7fffff}, {0x7bff}},
      {CVT(F16, F32, NEAREST), {0x33000000}, {0}}, // 2^-25, a tie
      {CVT(F16, F32, NEAREST), {0x33000001}, {1}},
      {CVT(F16, F32, UP), {1}, {1}},
      {CVT(BF16, F32, NEAREST), {0x3f808000}, {0x3f80}},
      {CVT(BF16, F32, NEAREST), {0x3f818000}, {0x3f82}},
      {CVT(BF16, F32, NEAREST), {0x7f7fffff}, {0x7f80}},
      {CVT(F32, F64, NEAREST), {0x47effffff0000000}, {0x7f800000}},
      {CVT(F32, F64, NEAREST), {0x47efffffefffffff}, {0x7f7fffff}},
      {CVT(F32, F64, NEAREST), {0x380fffffffffffff}, {0x00800000}},
      {CVT(F32, F64, NEAREST, .flags = ALU_FTZ), {0x380fffffe0000000}, {0}},
      {CVT(F32, F64, NEAREST), {0xfff0000000000001}, {0xffc00000}},
      {CVT(F32, F32, .flags = ALU_SAT), {0x40000000}, {0x3f800000}},
      {CVT(F32, F32, .flags = ALU_SAT), {0xffc00000}, {0}},
      {CVT(F32, F32, .flags = ALU_SAT), {0x80000000}, {0}},
      {CVT(F32, F32, DOWN, .flags = ALU_INTEGRAL), {0xbf000000}, {0xbf800000}},
      {CVT(F32, F32, UP, .flags = ALU_INTEGRAL), {0xbf000000}, {0x80000000}},
      {CVT(TF32, F32, .rounding = ALU_ROUND_NEAREST_AWAY), {0x3f801000}, {0x3f802000}},
      {CVT(TF32, F32, NEAREST), {0x3f801000}, {0x3f800000}},
      {CVT(TF32, F32, .rounding = ALU_ROUND_NEAREST_AWAY), {0x7f7fffff}, {0x7f800000}},
      {CVT(TF32, F32, .rounding = ALU_ROUND_NEAREST_AWAY, .flags = ALU_SATFINITE),
       {0x7f7fffff},
       {0x7f7fe000}},
  };
  ALU_CHECK(cases);
}

static void packed_numbers(void **state) {
  (void)state;
  enum { FINITE = ALU_SATFINITE, RELU = ALU_RELU };
  static const AluCase cases[] = {
      // The first operand is the upper half.
      {CVT(F16X2, F32, NEAREST), {0x3f800000, 0x40000000}, {0x3c004000}},
      {CVT(BF16X2, F32, NEAREST), {0x3f800000, 0x40000000}, {0x3f804000}},
      {CVT(F16X2, F32, .flags = RELU), {0xbf800000, 0x7fc00000}, {0x00007fff}},
      {CVT(F16X2, F32, .flags = FINITE), {0x7f800000, 0xff800000}, {0x7bfffbff}},
      {CVT(E4M3X2, F32, .flags = FINITE), {0x43e00000, 0x3f800000}, {0x7e38}}, // 448, 1
      {CVT(E4M3X2, F32, .flags = FINITE), {0x7f800000, 0x7fc00000}, {0x7e7f}},
      {CVT(E4M3X2, F32, .flags = FINITE), {0x3b000000, 0x3a800000}, {0x0100}}, // 2^-9, a tie
      {CVT(E5M2X2, F32, .flags = FINITE), {0x47600000, 0x7f800000}, {0x7b7b}}, // 57344
      {CVT(E4M3X2, F16X2, .flags = FINITE), {0x3c00bc00}, {0x38b8}},
      {CVT(F16X2, E4M3X2, NEAREST), {0x7e01}, {0x5f001800}},
      {CVT(F16X2, E4M3X2, NEAREST), {0x7fff}, {0x7fff7fff}},
      {CVT(F16X2, E5M2X2, NEAREST), {0x7cfc}, {0x7c00fc00}},
      {{.op = ALU_CVT_PACK, .type = ALU_TYPE_S16, .source = ALU_TYPE_S32, .count = 2},
       {0x7fffffff, 0x80000000},
       {0x7fff8000}},
      {{.op = ALU_CVT_PACK, .type = ALU_TYPE_U8, .source = ALU_TYPE_S32, .count = 3},
       {0xffffffff, 300, 0x1234abcd},
       {0xabcd00ff}},
      {{.op = ALU_CVT_PACK, .type = ALU_TYPE_S4, .source = ALU_TYPE_S32, .count = 3},
       {100, 0xfffffff0, 0x00abcdef},
       {0xabcdef78}},
  };
  ALU_CHECK(cases);
}

// Against the conversions of cuda_fp4.h, cuda_fp6.h and cuda_fp8.h for the host; pairs: the second
// operand is the lower element.
static void floats_of_few_bits(void **state) {
  (void)state;
  static const AluCase cases[] = {
      // e2m3: 7.5 is the greatest, 0.125 the least; NaNs become the greatest.
      {CVT(E2M3X2, F32, .flags = ALU_SATFINITE), {0x40f00000, 0x7fc00000}, {0x1f1f}},
      {CVT(E2M3X2, F32, .flags = ALU_SATFINITE), {0xff800000, 0x3e000000}, {0x3f01}},
      {CVT(E2M3X2, F32, .flags = ALU_SATFINITE),
       {0x3d800000, 0x3d800001},
       {0x0001}}, // half of the least: to even; above it
      {CVT(E3M2X2, F32, .flags = ALU_SATFINITE), {0x41e00000, 0xc2000000}, {0x1f3f}}, // 28, -32
      {CVT(E3M2X2, F32, .flags = ALU_SATFINITE),
       {0x3d800000, 0x3d000000},
       {0x0100}}, // 0.0625 is the least
      {CVT(E2M1X2, F32, .flags = ALU_SATFINITE), {0x40c00000, 0xbf000000}, {0x79}}, // 6, -0.5
      {CVT(E2M1X2, F32, .flags = ALU_SATFINITE),
       {0x40a00000, 0x3e800000},
       {0x60}}, // 5 and 0.25 lie between two: to even
      {CVT(E2M1X2, F32, .flags = ALU_SATFINITE), {0xffc00000, 0x80000000}, {0x78}},
      // A power of 2: its exponent, of the magnitude.
      {CVT(UE8M0X2, F32, UP), {0x3f800001, 0x00000000}, {0x8000}},
      {CVT(UE8M0X2, F32, ZERO), {0xbfffffff, 0x7f800000}, {0x7fff}},
      {CVT(UE8M0X2, F32, UP, .flags = ALU_SATFINITE), {0x7f7fffff, 0x00400001}, {0xfe01}},
      {CVT(UE8M0X2, BF16X2, UP), {0x7fc03f81, 0}, {0xff80}},
      {CVT(BF16X2, UE8M0X2, NEAREST), {0xff00, 0}, {0x7fff0040}},
      {CVT(F16X2, E2M1X2, NEAREST), {0x9f, 0}, {0xb800c600}},
      {CVT(F16X2, E2M3X2, NEAREST), {0x013f, 0}, {0x3000c780}},
      {CVT(F16X2, E3M2X2, NEAREST), {0x211f, 0}, {0xac004f00}},
  };
  ALU_CHECK(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(between_integers), UNIT_TEST(floats_to_integers),
      UNIT_TEST(between_floats),   UNIT_TEST(random_numbers_agree_with_the_host),
      UNIT_TEST(packed_numbers),   UNIT_TEST(floats_of_few_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
