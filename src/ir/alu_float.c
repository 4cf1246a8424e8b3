// Floating-point arithmetic (PTX ISA "Floating Point Instructions", "Half Precision Floating Point
// Instructions", "Mixed Precision Floating-Point Instructions").
#include <float.h>
#include <math.h>
#include <string.h>

#include "ir/alu_functions.h"
#include "ir/alu_real.h"

static bool flushes(const AluOperation *operation) {
  return alu_has(operation, ALU_FTZ);
}

// Multiplicands may be of a narrower format than the addend and the result.
static AluType source_type(const AluOperation *operation) {
  return operation->source != ALU_TYPE_NONE ? operation->source : operation->type;
}

static AluReal unpack(const AluOperation *operation, uint64_t bits) {
  return alu_real_unpack(operation->type, bits, flushes(operation));
}

static AluReal unpack_source(const AluOperation *operation, uint64_t bits) {
  return alu_real_unpack(source_type(operation), bits, flushes(operation));
}

static void pack(const AluOperation *operation, AluReal real, uint64_t *results) {
  results[0] = alu_real_pack(operation->type, real, operation->rounding, operation->flags);
}

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

static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The host computes what it rounds in the same way: a shortcut, as it is much faster. It takes the
// host's rounding to be to nearest, as C does without FENV_ACCESS. NaNs, and with .ftz the least
// numbers, are left to the rest of the function: `take_float` and `take_double` say so.
static bool host_computes(const AluOperation *operation, AluType type) {
  uint32_t other_flags = operation->flags;
  if (type == ALU_TYPE_F32)
    other_flags &= ~(uint32_t)ALU_FTZ;
  return FLT_EVAL_METHOD == 0 && operation->type == type && other_flags == 0 &&
         operation->rounding == ALU_ROUND_NEAREST && operation->source == ALU_TYPE_NONE;
}

static float host_float(const AluOperation *operation, uint64_t bits) {
  return float_of(flushes(operation) ? alu_float_flush(ALU_TYPE_F32, bits) : bits);
}

static bool take_float(const AluOperation *operation, float value, uint64_t *results) {
  results[0] = bits_of_float(value);
  if (flushes(operation) && value != 0 && fabsf(value) <= FLT_MIN)
    return false;
  return value == value;
}

static bool take_double(double value, uint64_t *results) {
  results[0] = bits_of_double(value);
  return value == value;
}

// An f64 operation gives the NaN among its operands, made quiet; of several, the first in `order`
// (a list of operands), which is what devices do. In other formats all NaNs become one.
static bool take_nan(const AluOperation *operation, const uint64_t *operands, const char *order,
                     uint64_t *results) {
  if (operation->type != ALU_TYPE_F64)
    return false;
  for (; *order; order++) {
    uint64_t operand = operands[*order - 'a'];
    if (!alu_float_is_nan(ALU_TYPE_F64, operand))
      continue;
    results[0] = alu_float_convert_nan(ALU_TYPE_F64, ALU_TYPE_F64, operand);
    return true;
  }
  return false;
}

void alu_float_add(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (host_computes(operation, ALU_TYPE_F32) &&
      take_float(operation, host_float(operation, operands[0]) + host_float(operation, operands[1]),
                 results))
    return;
  if (host_computes(operation, ALU_TYPE_F64) &&
      take_double(double_of(operands[0]) + double_of(operands[1]), results))
    return;
  if (take_nan(operation, operands, "ba", results))
    return;
  AluReal a = unpack_source(operation, operands[0]), b = unpack(operation, operands[1]);
  pack(operation, alu_real_add(a, b, operation->rounding), results);
}

void alu_float_sub(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (host_computes(operation, ALU_TYPE_F32) &&
      take_float(operation, host_float(operation, operands[0]) - host_float(operation, operands[1]),
                 results))
    return;
  if (host_computes(operation, ALU_TYPE_F64) &&
      take_double(double_of(operands[0]) - double_of(operands[1]), results))
    return;
  if (take_nan(operation, operands, "ba", results))
    return;
  AluReal a = unpack_source(operation, operands[0]), b = unpack(operation, operands[1]);
  b.is_negative = !b.is_negative;
  pack(operation, alu_real_add(a, b, operation->rounding), results);
}

void alu_float_mul(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (host_computes(operation, ALU_TYPE_F32) &&
      take_float(operation, host_float(operation, operands[0]) * host_float(operation, operands[1]),
                 results))
    return;
  if (host_computes(operation, ALU_TYPE_F64) &&
      take_double(double_of(operands[0]) * double_of(operands[1]), results))
    return;
  if (take_nan(operation, operands, "ba", results))
    return;
  AluReal a = unpack(operation, operands[0]), b = unpack(operation, operands[1]);
  pack(operation, alu_real_multiply(a, b), results);
}

// What tensor copies write for elements out of bounds, if asked for a NaN (PTX ISA "Out-of-bounds
// access"): with .oob, such a factor makes the result 0.
static bool is_out_of_bounds(const AluOperation *operation, uint64_t factor) {
  return alu_has(operation, ALU_OOB) && (factor & 0x7fff) == 0x7ff7;
}

void alu_fma(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (host_computes(operation, ALU_TYPE_F32) &&
      take_float(operation,
                 fmaf(host_float(operation, operands[0]), host_float(operation, operands[1]),
                      host_float(operation, operands[2])),
                 results))
    return;
  if (host_computes(operation, ALU_TYPE_F64) &&
      take_double(fma(double_of(operands[0]), double_of(operands[1]), double_of(operands[2])),
                  results))
    return;
  if (take_nan(operation, operands, "bca", results))
    return;
  if (is_out_of_bounds(operation, operands[0]) || is_out_of_bounds(operation, operands[1])) {
    results[0] = 0;
    return;
  }
  AluReal a = unpack_source(operation, operands[0]), b = unpack_source(operation, operands[1]);
  AluReal product = alu_real_multiply(a, b), c = unpack(operation, operands[2]);
  pack(operation, alu_real_add(product, c, operation->rounding), results);
}

// div.approx takes a divisor above 2^126 as infinite: its reciprocal is subnormal. div.full does
// not.
static bool is_lost_divisor(const AluOperation *operation, AluReal divisor) {
  bool is_above = divisor.exponent > 126 || (divisor.exponent == 126 && divisor.high << 1 != 0);
  return alu_has(operation, ALU_APPROX) && operation->mode == 0 &&
         divisor.kind == ALU_REAL_FINITE && is_above;
}

void alu_float_div(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (host_computes(operation, ALU_TYPE_F32) &&
      take_float(operation, host_float(operation, operands[0]) / host_float(operation, operands[1]),
                 results))
    return;
  if (host_computes(operation, ALU_TYPE_F64) &&
      take_double(double_of(operands[0]) / double_of(operands[1]), results))
    return;
  if (take_nan(operation, operands, "ab", results))
    return;
  AluReal a = unpack(operation, operands[0]), b = unpack(operation, operands[1]);
  if (is_lost_divisor(operation, b))
    b = (AluReal){.kind = ALU_REAL_INFINITE, .is_negative = b.is_negative};
  pack(operation, alu_real_divide(a, b), results);
}

// The gross approximations of f64, .approx.ftz, look at the upper half of their operand only, and
// the lower half of their result is 0.
static bool is_gross(const AluOperation *operation) {
  return operation->type == ALU_TYPE_F64 && alu_has(operation, ALU_APPROX) && flushes(operation);
}

static void pack_gross(const AluOperation *operation, AluReal real, uint64_t *results) {
  static const uint64_t upper_half = UINT64_C(0xffffffff00000000);
  pack(operation, real, results);
  results[0] &= upper_half;
  if (real.kind == ALU_REAL_NAN)
    results[0] = UINT64_C(0x7fffffff00000000);
}

static AluReal unpack_gross(const AluOperation *operation, uint64_t bits) {
  return unpack(operation, bits >> 32 << 32);
}

static AluReal reciprocal(AluReal real) {
  return alu_real_divide(alu_real_from_integer(1, false), real);
}

void alu_rcp(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_gross(operation))
    pack_gross(operation, reciprocal(unpack_gross(operation, operands[0])), results);
  else if (!take_nan(operation, operands, "a", results))
    pack(operation, reciprocal(unpack(operation, operands[0])), results);
}

void alu_sqrt(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (host_computes(operation, ALU_TYPE_F32) &&
      take_float(operation, sqrtf(host_float(operation, operands[0])), results))
    return;
  if (host_computes(operation, ALU_TYPE_F64) && take_double(sqrt(double_of(operands[0])), results))
    return;
  if (!take_nan(operation, operands, "a", results))
    pack(operation, alu_real_square_root(unpack(operation, operands[0])), results);
}

// The magnitude or the opposite of a number, and the NaN of a NaN.
static void change_sign(const AluOperation *operation, uint64_t operand, uint64_t changed,
                        uint64_t *results) {
  if (take_nan(operation, &operand, "a", results))
    return;
  if (alu_float_is_nan(operation->type, operand))
    results[0] = alu_float_nan(operation->type);
  else
    results[0] = flushes(operation) ? alu_float_flush(operation->type, changed) : changed;
}

void alu_float_abs(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = alu_types[operation->type].bits;
  change_sign(operation, operands[0], alu_truncate(operands[0], bits - 1), results);
}

void alu_float_neg(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = alu_types[operation->type].bits;
  uint64_t opposite = alu_truncate(operands[0], bits) ^ (UINT64_C(1) << (bits - 1));
  change_sign(operation, operands[0], opposite, results);
}

// Is a < b, where -0 < +0? Neither is a NaN. Compares as numbers of sign and magnitude.
static bool is_below(uint32_t bits, uint64_t a, uint64_t b) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  if ((a ^ b) & sign)
    return a & sign;
  return a & sign ? a > b : a < b;
}

static uint64_t choose(const AluOperation *operation, uint64_t a, uint64_t b, bool is_max) {
  uint32_t bits = alu_types[operation->type].bits;
  bool a_is_nan = alu_float_is_nan(operation->type, a);
  bool b_is_nan = alu_float_is_nan(operation->type, b);
  if (a_is_nan && b_is_nan && operation->type == ALU_TYPE_F64)
    return alu_float_convert_nan(ALU_TYPE_F64, ALU_TYPE_F64, b);
  if ((a_is_nan && b_is_nan) || (alu_has(operation, ALU_NAN) && (a_is_nan || b_is_nan)))
    return alu_float_nan(operation->type);
  if (a_is_nan || b_is_nan)
    return a_is_nan ? b : a;
  return is_below(bits, a, b) == is_max ? b : a;
}

static void min_or_max(const AluOperation *operation, const uint64_t *operands, bool is_max,
                       uint64_t *results) {
  uint32_t bits = alu_types[operation->type].bits;
  uint64_t sign = UINT64_C(1) << (bits - 1), a = alu_truncate(operands[0], bits);
  uint64_t b = alu_truncate(operands[1], bits), result_sign = (a ^ b) & sign;
  if (flushes(operation)) {
    a = alu_float_flush(operation->type, a);
    b = alu_float_flush(operation->type, b);
  }
  if (!alu_has(operation, ALU_XORSIGN_ABS)) {
    results[0] = choose(operation, a, b, is_max);
    return;
  }
  uint64_t chosen = choose(operation, a & ~sign, b & ~sign, is_max);
  results[0] = alu_float_is_nan(operation->type, chosen) ? chosen : chosen | result_sign;
}

void alu_float_min(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  min_or_max(operation, operands, false, results);
}

void alu_float_max(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  min_or_max(operation, operands, true, results);
}

// b with the sign of a.
void alu_copysign(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = alu_types[operation->type].bits;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  results[0] = (operands[0] & sign) | alu_truncate(operands[1], bits - 1);
}

// The approximations work on a double, which holds every f16, bf16 and f32, and round its bits.
static double argument(const AluOperation *operation, uint64_t bits) {
  AluReal real = unpack(operation, bits);
  return double_of(alu_real_pack(ALU_TYPE_F64, real, ALU_ROUND_NEAREST, 0));
}

static void finish(const AluOperation *operation, double value, uint64_t *results) {
  pack(operation, alu_real_unpack(ALU_TYPE_F64, bits_of_double(value), false), results);
}

void alu_rsqrt(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_gross(operation)) {
    AluReal root = alu_real_square_root(unpack_gross(operation, operands[0]));
    uint64_t rounded = alu_real_pack(ALU_TYPE_F64, root, ALU_ROUND_NEAREST, 0);
    pack_gross(operation, reciprocal(alu_real_unpack(ALU_TYPE_F64, rounded, false)), results);
  } else if (!take_nan(operation, operands, "a", results)) {
    finish(operation, 1.0 / sqrt(argument(operation, operands[0])), results);
  }
}

void alu_sin(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  finish(operation, sin(argument(operation, operands[0])), results);
}

void alu_cos(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  finish(operation, cos(argument(operation, operands[0])), results);
}

void alu_lg2(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  finish(operation, log2(argument(operation, operands[0])), results);
}

void alu_ex2(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  finish(operation, exp2(argument(operation, operands[0])), results);
}

void alu_tanh(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  finish(operation, tanh(argument(operation, operands[0])), results);
}
