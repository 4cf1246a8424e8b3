// Floating-point arithmetic: against the host's, in every rounding mode; against a search through
// all numbers of f16; and at edges, by hand.
#include "alu_unit.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

#define OP ALU_OPERATION
#define OP_WITH ALU_OPERATION_WITH

enum { RANDOM_COUNT = 20000 };

static const struct {
  AluRounding rounding;
  int host;
} roundings[] = {
    {ALU_ROUND_NEAREST, FE_TONEAREST},
    {ALU_ROUND_ZERO, FE_TOWARDZERO},
    {ALU_ROUND_DOWN, FE_DOWNWARD},
    {ALU_ROUND_UP, FE_UPWARD},
};

static const AluOp operations[] = {ALU_ADD, ALU_SUB, ALU_MUL, ALU_DIV, ALU_FMA, ALU_SQRT};

static float float_of(uint64_t bits) {
  uint32_t narrow = (uint32_t)bits;
  float value;
  memcpy(&value, &narrow, sizeof value);
  return value;
}

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Volatile, so that the compiler computes nothing before the rounding mode is set.
static float host_float(AluOp op, volatile float a, volatile float b, volatile float c) {
  volatile float result;
  switch (op) {
  case ALU_ADD:
    result = a + b;
    break;
  case ALU_SUB:
    result = a - b;
    break;
  case ALU_MUL:
    result = a * b;
    break;
  case ALU_DIV:
    result = a / b;
    break;
  case ALU_FMA:
    result = fmaf(a, b, c);
    break;
  default:
    result = sqrtf(a);
  }
  return result;
}

static double host_double(AluOp op, volatile double a, volatile double b, volatile double c) {
  volatile double result;
  switch (op) {
  case ALU_ADD:
    result = a + b;
    break;
  case ALU_SUB:
    result = a - b;
    break;
  case ALU_MUL:
    result = a * b;
    break;
  case ALU_DIV:
    result = a / b;
    break;
  case ALU_FMA:
    result = fma(a, b, c);
    break;
  default:
    result = sqrt(a);
  }
  return result;
}

// Random bits are mostly numbers of wildly different size: half of them get exponents that meet.
static uint64_t random_number(uint64_t *seed, uint32_t fraction_bits, uint64_t bias) {
  uint64_t bits = alu_random(seed), kind = alu_random(seed) % 4;
  uint64_t sign_and_fraction = bits & ~(((bias << 1) + 1) << fraction_bits);
  if (kind == 0)
    return bits;
  if (kind == 1) // subnormal, or next to it
    return sign_and_fraction | (bits >> 7 & 1) << fraction_bits;
  if (kind == 2) // a short fraction
    sign_and_fraction &= ~((UINT64_C(1) << (fraction_bits - 3)) - 1);
  return sign_and_fraction | (bias + alu_random(seed) % 60 - 30) << fraction_bits;
}

static bool is_nan(AluType type, uint64_t bits) {
  return type == ALU_TYPE_F32 ? isnan(float_of(bits)) : isnan(double_of(bits));
}

static void check_one(AluOperation operation, int host, const uint64_t *operands) {
  uint64_t result, expected;
  alu_compute(&operation, operands, &result);
  fesetround(host);
  if (operation.type == ALU_TYPE_F32)
    expected = bits_of_float(host_float(operation.op, float_of(operands[0]), float_of(operands[1]),
                                        float_of(operands[2])));
  else
    expected = bits_of_double(host_double(operation.op, double_of(operands[0]),
                                          double_of(operands[1]), double_of(operands[2])));
  fesetround(FE_TONEAREST);
  if (is_nan(operation.type, expected) ? is_nan(operation.type, result) : result == expected)
    return;
  char name[64];
  alu_print(&operation, name, sizeof name);
  fail_msg("%s of %#llx, %#llx, %#llx is %#llx, not %#llx", name, (unsigned long long)operands[0],
           (unsigned long long)operands[1], (unsigned long long)operands[2],
           (unsigned long long)result, (unsigned long long)expected);
}

static void check_type(AluType type, uint32_t fraction_bits, uint64_t bias, uint64_t mask) {
  uint64_t seed = 0x9e3779b97f4a7c15;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    for (size_t j = 0; j < sizeof roundings / sizeof *roundings; j++)
      for (int k = 0; k < RANDOM_COUNT; k++) {
        uint64_t operands[3];
        for (int n = 0; n < 3; n++)
          operands[n] = random_number(&seed, fraction_bits, bias) & mask;
        AluOperation operation = {.op = (uint8_t)operations[i],
                                  .type = (uint8_t)type,
                                  .rounding = (uint8_t)roundings[j].rounding};
        check_one(operation, roundings[j].host, operands);
      }
}

static void f32_agrees_with_the_host(void **state) {
  (void)state;
  check_type(ALU_TYPE_F32, 23, 127, UINT32_MAX);
}

static void f64_agrees_with_the_host(void **state) {
  (void)state;
  check_type(ALU_TYPE_F64, 52, 1023, UINT64_MAX);
}

// ALU_NAN says nothing about sums: with it the shortcut through the host is not taken, so the exact
// arithmetic is compared with the host's in rounding to nearest, too.
static void exact_arithmetic_agrees_with_the_shortcut(void **state) {
  (void)state;
  uint64_t seed = 12345;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    for (int k = 0; k < RANDOM_COUNT; k++) {
      uint64_t operands[3], quick, exact;
      for (int n = 0; n < 3; n++)
        operands[n] = random_number(&seed, 52, 1023);
      AluOperation operation = {.op = (uint8_t)operations[i], .type = ALU_TYPE_F64};
      alu_compute(&operation, operands, &quick);
      operation.flags = ALU_NAN;
      alu_compute(&operation, operands, &exact);
      assert_int_equal(quick, exact);
    }
}

static double half_value(uint32_t bits) {
  int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
  double magnitude = exponent > 0 ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

// The f16 number nearest to `value`, ties to even, by a search through all non-negative ones.
static uint32_t nearest_half(double value) {
  double magnitude = fabs(value);
  uint32_t low = 0, high = 0x7c00; // infinity stands for 65536
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (half_value(middle) <= magnitude)
      low = middle;
    else
      high = middle;
  }
  double below = magnitude - half_value(low), above = half_value(high) - magnitude;
  uint32_t nearest =
      magnitude >= 65536 || above < below || (above == below && low & 1) ? high : low;
  return (signbit(value) ? 0x8000 : 0) | nearest;
}

// Sums and products of two f16 numbers are exact in double.
static void f16_agrees_with_a_search(void **state) {
  (void)state;
  uint64_t seed = 99;
  for (int i = 0; i < 100000; i++) {
    uint64_t a = alu_random(&seed) & 0xffff, b = alu_random(&seed) & 0xffff;
    if ((a & 0x7c00) == 0x7c00 || (b & 0x7c00) == 0x7c00)
      continue;
    double x = half_value((uint32_t)a), y = half_value((uint32_t)b);
    assert_int_equal(alu_one((AluOperation)OP(ADD, F16), a, b, 0), nearest_half(x + y));
    assert_int_equal(alu_one((AluOperation)OP(SUB, F16), a, b, 0), nearest_half(x - y));
    assert_int_equal(alu_one((AluOperation)OP(MUL, F16), a, b, 0), nearest_half(x * y));
    AluOperation convert = OP_WITH(CVT, F16, .source = ALU_TYPE_F64);
    assert_int_equal(alu_one(convert, bits_of_double(x * y), 0, 0), nearest_half(x * y));
  }
}

enum {
  ONE = 0x3f800000,
  INFINITE = 0x7f800000,
  NOT_A_NUMBER = 0x7fffffff,
  TINY = 1,           // the least subnormal number
  LEAST = 0x00800000, // the least normal number
  GREATEST = 0x7f7fffff,
};

// -0
#define M0 UINT64_C(0x80000000)

static void special_numbers(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(ADD, F32), {ONE, 0xbf800000}, {0}},
      {OP_WITH(ADD, F32, .rounding = ALU_ROUND_DOWN), {ONE, 0xbf800000}, {M0}},
      {OP(ADD, F32), {M0, M0}, {M0}},
      {OP(ADD, F32), {INFINITE, 0xff800000}, {NOT_A_NUMBER}},
      {OP(ADD, F32), {0xffc00001, ONE}, {NOT_A_NUMBER}},
      {OP(MUL, F32), {INFINITE, 0}, {NOT_A_NUMBER}},
      {OP(MUL, F32), {GREATEST, 0x40000000}, {INFINITE}},
      {OP_WITH(MUL, F32, .rounding = ALU_ROUND_ZERO), {GREATEST, 0x40000000}, {GREATEST}},
      {OP_WITH(MUL, F32, .rounding = ALU_ROUND_DOWN), {GREATEST, 0xc0000000}, {0xff800000}},
      {OP_WITH(MUL, F32, .rounding = ALU_ROUND_UP), {GREATEST, 0xc0000000}, {0xff7fffff}},
      {OP(DIV, F32), {ONE, M0}, {0xff800000}},
      {OP(DIV, F32), {0, 0}, {NOT_A_NUMBER}},
      {OP(RCP, F32), {0x40000000}, {0x3f000000}},
      {OP(RCP, F32), {M0}, {0xff800000}},
      {OP(SQRT, F32), {M0}, {M0}},
      {OP(SQRT, F32), {0xbf800000}, {NOT_A_NUMBER}},
      {OP_WITH(RSQRT, F32, .flags = ALU_APPROX), {0x40800000}, {0x3f000000}},
      {OP_WITH(RSQRT, F32, .flags = ALU_APPROX), {0}, {INFINITE}},
      // f64: the NaN of an operand is kept, made quiet; of two, the second.
      {OP(ADD, F64), {0x7ff0000000000001, 0}, {0x7ff8000000000001}},
      {OP(MUL, F64), {0x7ff8000000000001, 0xfff8000000000002}, {0xfff8000000000002}},
      {OP(DIV, F64), {0, 0}, {0xfff8000000000000}},
  };
  ALU_CHECK(cases);
}

static void flushing(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(ADD, F32), {TINY, TINY}, {2}},
      {OP_WITH(ADD, F32, .flags = ALU_FTZ), {TINY, TINY}, {0}},
      {OP_WITH(ADD, F32, .flags = ALU_FTZ), {LEAST, 0x807fffff}, {LEAST}},
      {OP_WITH(SUB, F32, .flags = ALU_FTZ), {LEAST, 0x00800001}, {M0}},
      {OP_WITH(MUL, F32, .flags = ALU_FTZ), {0x80800000, 0x3f000000}, {M0}},
      // 2^-126 * (1 - 2^-46) is rounded to 2^-126 and so not flushed.
      {OP_WITH(MUL, F32, .flags = ALU_FTZ), {0x00800001, 0x3f7ffffe}, {LEAST}},
      {OP_WITH(MUL, F32, .flags = ALU_FTZ, .rounding = ALU_ROUND_ZERO),
       {0x00800001, 0x3f7ffffe},
       {0}},
      {OP_WITH(ABS, F32, .flags = ALU_FTZ), {0x80000001}, {0}},
      {OP_WITH(NEG, F32, .flags = ALU_FTZ), {TINY}, {M0}},
      {OP_WITH(MIN, F32, .flags = ALU_FTZ), {TINY, ONE}, {0}},
      {OP_WITH(RCP, F32, .flags = ALU_FTZ | ALU_APPROX), {TINY}, {INFINITE}},
      {OP_WITH(FMA, F16, .flags = ALU_FTZ), {0x0400, 0x3800, 0}, {0}},
      {OP(FMA, F16), {0x0400, 0x3800, 0}, {0x0200}},
  };
  ALU_CHECK(cases);
}

static void saturation(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP_WITH(ADD, F32, .flags = ALU_SAT), {ONE, ONE}, {ONE}},
      {OP_WITH(ADD, F32, .flags = ALU_SAT), {0xbf800000, 0}, {0}},
      {OP_WITH(ADD, F32, .flags = ALU_SAT), {M0, M0}, {0}},
      {OP_WITH(ADD, F32, .flags = ALU_SAT), {NOT_A_NUMBER, 0}, {0}},
      {OP_WITH(ADD, F32, .flags = ALU_SAT), {0x3e800000, 0x3e800000}, {0x3f000000}},
      {OP_WITH(FMA, F16, .flags = ALU_RELU), {0x3c00, 0xbc00, 0}, {0}},
      {OP_WITH(FMA, F16, .flags = ALU_RELU), {0x7e00, 0x3c00, 0}, {0x7fff}},
      {OP_WITH(FMA, F16, .flags = ALU_OOB), {0x7ff7, 0x3c00, 0x4000}, {0}},
      {OP(FMA, BF16), {0x3f80, 0x3f80, 0x3f80}, {0x4000}},
      {OP(FMA, F16X2), {0x3c004000, 0x3c003c00, 0x3c000000}, {0x40004000}},
      {OP(ADD, BF16X2), {0x3f803f80, 0x3f80bf80}, {0x40000000}},
      {OP(FMA, F32X2),
       {0x3f80000040000000, 0x4000000040000000, 0x3f8000003f800000},
       {0x4040000040a00000}},
      // 1 + 2^-11 of f16 operands added to an f32.
      {OP_WITH(ADD, F32, .source = ALU_TYPE_F16), {0x1000, ONE}, {0x3f801000}},
  };
  ALU_CHECK(cases);
}

static void minima_and_maxima(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(MIN, F32), {0, M0}, {M0}},
      {OP(MAX, F32), {M0, 0}, {0}},
      {OP(MIN, F32), {NOT_A_NUMBER, ONE}, {ONE}},
      {OP(MAX, F32), {ONE, 0x7fc00000}, {ONE}},
      {OP(MAX, F32), {0xffc00001, 0x7fc00000}, {NOT_A_NUMBER}},
      {OP_WITH(MIN, F32, .flags = ALU_NAN), {0x7fc00000, ONE}, {NOT_A_NUMBER}},
      {OP(MIN, F32), {0xbf800000, 0xc0000000}, {0xc0000000}},
      {OP(MAX, F32), {0xbf800000, 0xc0000000}, {0xbf800000}},
      {OP_WITH(MIN, F32, .flags = ALU_XORSIGN_ABS), {0xbf800000, 0x40000000}, {0xbf800000}},
      {OP_WITH(MAX, F32, .flags = ALU_XORSIGN_ABS), {0xbf800000, 0xc0000000}, {0x40000000}},
      {OP(MIN, F16), {0x7e00, 0x3c00}, {0x3c00}},
      {OP(MIN, F16X2), {0x7e003c00, 0x3c00bc00}, {0x3c00bc00}},
      {OP(COPYSIGN, F32), {0x80000000, ONE}, {0xbf800000}},
      {OP(COPYSIGN, F64), {0, UINT64_C(0xbff0000000000000)}, {0x3ff0000000000000}},
      {OP(ABS, F64), {UINT64_C(0xbff0000000000000)}, {0x3ff0000000000000}},
      {OP(NEG, F16X2), {0x3c00bc00}, {0xbc003c00}},
      {OP(NEG, F32), {0xffc00000}, {NOT_A_NUMBER}},
  };
  ALU_CHECK(cases);
}

static void approximations(void **state) {
  (void)state;
  enum { A = ALU_APPROX };
  static const AluCase cases[] = {
      {OP_WITH(EX2, F32, .flags = A), {0x40400000}, {0x41000000}},
      {OP_WITH(EX2, F32, .flags = A), {0xff800000}, {0}},
      {OP_WITH(EX2, F32, .flags = A), {0xc3000000}, {0x00200000}}, // 2^-128
      {OP_WITH(EX2, F32, .flags = A | ALU_FTZ), {0xc3000000}, {0}},
      {OP_WITH(EX2, F16, .flags = A), {0x4200}, {0x4800}},
      {OP_WITH(LG2, F32, .flags = A), {0x41000000}, {0x40400000}},
      {OP_WITH(LG2, F32, .flags = A), {0}, {0xff800000}},
      {OP_WITH(LG2, F32, .flags = A), {0xbf800000}, {NOT_A_NUMBER}},
      {OP_WITH(LG2, F32, .flags = A), {TINY}, {0xc3150000}}, // -149
      {OP_WITH(SIN, F32, .flags = A), {M0}, {M0}},
      {OP_WITH(COS, F32, .flags = A), {0}, {ONE}},
      {OP_WITH(SIN, F32, .flags = A), {INFINITE}, {NOT_A_NUMBER}},
      {OP_WITH(TANH, F32, .flags = A), {0xff800000}, {0xbf800000}},
      {OP_WITH(DIV, F32, .flags = A), {0x40c00000, 0x40400000}, {0x40000000}},
      {OP_WITH(DIV, F32, .flags = A), {INFINITE, 0x7f000000}, {NOT_A_NUMBER}},
      {OP_WITH(DIV, F32, .flags = A), {ONE, 0x7f000000}, {0}},
      {OP_WITH(DIV, F32, .flags = A, .mode = 1), {ONE, 0x7f000000}, {0x00400000}},
      {OP_WITH(RCP, F64, .flags = A | ALU_FTZ), {0x4000000012345678}, {0x3fe0000000000000}},
  };
  ALU_CHECK(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(f32_agrees_with_the_host),
      UNIT_TEST(f64_agrees_with_the_host),
      UNIT_TEST(exact_arithmetic_agrees_with_the_shortcut),
      UNIT_TEST(f16_agrees_with_a_search),
      UNIT_TEST(special_numbers),
      UNIT_TEST(flushing),
      UNIT_TEST(saturation),
      UNIT_TEST(minima_and_maxima),
      UNIT_TEST(approximations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
