#include "ir/alu_real.h"

#include <assert.h>

#include "ir/alu_functions.h"

// A format: sign, exponent, fraction, from the highest bit to the lowest; then `padding` bits that
// the format does not use.
typedef struct Format {
  uint8_t exponent_bits;
  uint8_t fraction_bits;
  uint8_t padding;
  bool has_infinity; // else the greatest exponent holds numbers too, and one NaN
  uint64_t nan;
  bool lacks_nan; // `nan` is a number, the greatest one, which NaNs become
} Format;

static const Format f16 = {5, 10, 0, true, 0x7fff, false};
static const Format bf16 = {8, 7, 0, true, 0x7fff, false};
static const Format tf32 = {8, 10, 13, true, 0x7fffe000, false};
static const Format f32 = {8, 23, 0, true, 0x7fffffff, false};
static const Format f64 = {11, 52, 0, true, UINT64_C(0xfff8000000000000), false};
static const Format e4m3 = {4, 3, 0, false, 0x7f, false};
static const Format e5m2 = {5, 2, 0, true, 0x7f, false};
static const Format e2m3 = {2, 3, 0, false, 0x1f, true};
static const Format e3m2 = {3, 2, 0, false, 0x1f, true};
static const Format e2m1 = {2, 1, 0, false, 0x7, true};

static const Format *format_of(AluType type) {
  switch (type) {
  case ALU_TYPE_F16:
    return &f16;
  case ALU_TYPE_BF16:
    return &bf16;
  case ALU_TYPE_TF32:
    return &tf32;
  case ALU_TYPE_F32:
    return &f32;
  case ALU_TYPE_E4M3:
    return &e4m3;
  case ALU_TYPE_E5M2:
    return &e5m2;
  case ALU_TYPE_E2M3:
    return &e2m3;
  case ALU_TYPE_E3M2:
    return &e3m2;
  case ALU_TYPE_E2M1:
    return &e2m1;
  default:
    assert(type == ALU_TYPE_F64);
    return &f64;
  }
}

static int32_t bias_of(const Format *format) {
  return (1 << (format->exponent_bits - 1)) - 1;
}

static uint64_t sign_mask(const Format *format) {
  return UINT64_C(1) << (format->exponent_bits + format->fraction_bits + format->padding);
}

static uint64_t infinity_of(const Format *format) {
  return alu_mask(format->exponent_bits) << (format->fraction_bits + format->padding);
}

// Where there is no infinity, the NaN is the greatest magnitude.
static uint64_t greatest_finite(const Format *format) {
  if (format->lacks_nan)
    return format->nan;
  uint64_t above = format->has_infinity ? infinity_of(format) : format->nan;
  return above - (UINT64_C(1) << format->padding);
}

static bool is_nan(const Format *format, uint64_t bits) {
  uint64_t magnitude = bits & (sign_mask(format) - 1);
  if (format->lacks_nan)
    return false;
  return format->has_infinity ? magnitude > infinity_of(format) : magnitude == format->nan;
}

bool alu_float_is_nan(AluType type, uint64_t bits) {
  return is_nan(format_of(type), bits);
}

uint64_t alu_float_nan(AluType type) {
  return format_of(type)->nan;
}

uint64_t alu_float_convert_nan(AluType type, AluType source, uint64_t bits) {
  const Format *to = format_of(type), *from = format_of(source);
  uint64_t fraction = alu_truncate(bits >> from->padding, from->fraction_bits);
  fraction = fraction << (64 - from->fraction_bits) >> (64 - to->fraction_bits);
  fraction |= UINT64_C(1) << (to->fraction_bits - 1);
  uint64_t sign = bits & sign_mask(from) ? sign_mask(to) : 0;
  return sign | infinity_of(to) | fraction << to->padding;
}

uint64_t alu_float_flush(AluType type, uint64_t bits) {
  const Format *format = format_of(type);
  return bits & infinity_of(format) ? bits : bits & sign_mask(format);
}

static AluReal normalize(AluReal real) {
  if (real.high == 0) {
    real.high = real.low;
    real.low = 0;
    real.exponent -= 64;
  }
  if (real.high == 0)
    return (AluReal){.kind = ALU_REAL_ZERO, .is_negative = real.is_negative};
  uint32_t shift = (uint32_t)__builtin_clzll(real.high);
  if (shift > 0) {
    real.high = real.high << shift | real.low >> (64 - shift);
    real.low <<= shift;
    real.exponent -= (int32_t)shift;
  }
  return real;
}

AluReal alu_real_from_integer(uint64_t magnitude, bool is_negative) {
  return normalize((AluReal){
      .kind = ALU_REAL_FINITE, .is_negative = is_negative, .exponent = 63, .high = magnitude});
}

AluReal alu_real_unpack(AluType type, uint64_t bits, bool flush) {
  const Format *format = format_of(type);
  uint64_t fraction = alu_truncate(bits >> format->padding, format->fraction_bits);
  int32_t exponent = (int32_t)alu_truncate(bits >> (format->padding + format->fraction_bits),
                                           format->exponent_bits);
  bool is_negative = bits & sign_mask(format);
  AluReal real = {.kind = ALU_REAL_FINITE, .is_negative = is_negative};
  if (is_nan(format, bits) || (format->has_infinity && exponent == bias_of(format) * 2 + 1)) {
    real.kind = is_nan(format, bits) ? ALU_REAL_NAN : ALU_REAL_INFINITE;
    return real;
  }
  if (exponent == 0 && flush)
    fraction = 0;
  if (exponent > 0)
    fraction |= UINT64_C(1) << format->fraction_bits;
  real.exponent = (exponent > 0 ? exponent : 1) - bias_of(format);
  real.high = fraction << (63 - format->fraction_bits);
  return normalize(real);
}

// Shifts right; what falls out is kept as the sticky bit.
static void shift_right(AluReal *real, uint32_t count) {
  if (count == 0)
    return;
  bool is_inexact;
  if (count >= 128) {
    is_inexact = true;
    real->high = real->low = 0;
  } else if (count >= 64) {
    is_inexact = real->low != 0 || (real->high & alu_mask(count - 64)) != 0;
    real->low = real->high >> (count - 64);
    real->high = 0;
  } else {
    is_inexact = (real->low & alu_mask(count)) != 0;
    real->low = real->high << (64 - count) | real->low >> count;
    real->high >>= count;
  }
  real->low |= is_inexact;
}

// Does the number whose lowest kept bit is `odd` go to the next one, given the bits `rest` (a
// fraction, the highest bit being one half) and `below` (less than those) that are dropped?
static bool rounds_up(AluRounding rounding, bool is_negative, bool odd, uint64_t rest,
                      uint64_t below) {
  const uint64_t half = UINT64_C(1) << 63;
  bool is_inexact = rest != 0 || below != 0;
  switch (rounding) {
  case ALU_ROUND_ZERO:
    return false;
  case ALU_ROUND_DOWN:
    return is_negative && is_inexact;
  case ALU_ROUND_UP:
    return !is_negative && is_inexact;
  case ALU_ROUND_NEAREST_AWAY:
    return rest >= half;
  default:
    return rest > half || (rest == half && (below != 0 || odd));
  }
}

// The magnitude where the exact one is too great: infinity, or the greatest finite number if the
// rounding is toward it.
static uint64_t overflow(const Format *format, AluRounding rounding, bool is_negative,
                         uint32_t flags) {
  bool is_inward = rounding == ALU_ROUND_ZERO || (rounding == ALU_ROUND_DOWN && !is_negative) ||
                   (rounding == ALU_ROUND_UP && is_negative);
  if (is_inward || flags & ALU_SATFINITE)
    return greatest_finite(format);
  return format->has_infinity ? infinity_of(format) : format->nan;
}

// A number below the normal ones is flushed to 0 unless it is rounded, as if exponents had no
// limit, to the least normal number.
static uint64_t flush_magnitude(const Format *format, const AluReal *real, AluRounding rounding) {
  uint32_t precision = format->fraction_bits + 1;
  uint64_t kept = real->high >> (64 - precision);
  bool is_least = real->exponent == -bias_of(format) && kept == alu_mask(precision) &&
                  rounds_up(rounding, real->is_negative, true, real->high << precision, real->low);
  return is_least ? UINT64_C(1) << (format->fraction_bits + format->padding) : 0;
}

// The magnitude of a finite number in the format, rounded.
static uint64_t pack_magnitude(const Format *format, AluReal real, AluRounding rounding,
                               uint32_t flags) {
  int32_t bias = bias_of(format), least = 1 - bias;
  uint32_t precision = format->fraction_bits + 1;
  int32_t exponent = real.exponent;
  if (exponent < least) {
    if (flags & ALU_FTZ)
      return flush_magnitude(format, &real, rounding);
    shift_right(&real, (uint32_t)(least - exponent));
    exponent = least;
  }
  uint64_t kept = real.high >> (64 - precision);
  kept += rounds_up(rounding, real.is_negative, kept & 1, real.high << precision, real.low);
  // A carry out of the fraction, also out of a subnormal one, goes into the exponent by itself.
  uint64_t magnitude = kept + ((uint64_t)(exponent - least) << format->fraction_bits);
  magnitude <<= format->padding;
  bool is_too_great = exponent > bias + 1 || magnitude > greatest_finite(format);
  return is_too_great ? overflow(format, rounding, real.is_negative, flags) : magnitude;
}

// .sat holds numbers to [0, 1]; a NaN becomes 0.
static AluReal saturate(AluReal real) {
  if (real.kind == ALU_REAL_NAN || real.kind == ALU_REAL_ZERO || real.is_negative)
    return (AluReal){.kind = ALU_REAL_ZERO};
  if (real.kind == ALU_REAL_INFINITE || real.exponent >= 0)
    return alu_real_from_integer(1, false);
  return real;
}

uint64_t alu_real_pack(AluType type, AluReal real, AluRounding rounding, uint32_t flags) {
  const Format *format = format_of(type);
  if (flags & ALU_SAT)
    real = saturate(real);
  if (real.kind == ALU_REAL_NAN)
    return format->nan;
  if (flags & ALU_RELU && real.is_negative)
    return 0;
  uint64_t sign = real.is_negative ? sign_mask(format) : 0;
  if (real.kind == ALU_REAL_ZERO)
    return sign;
  if (real.kind == ALU_REAL_FINITE)
    return sign | pack_magnitude(format, real, rounding, flags);
  if (flags & ALU_SATFINITE)
    return sign | greatest_finite(format);
  return format->has_infinity ? sign | infinity_of(format) : sign | format->nan;
}

AluReal alu_real_round_integral(AluReal real, AluRounding rounding) {
  if (real.kind != ALU_REAL_FINITE || real.exponent >= 63)
    return real;
  if (real.exponent < -1) // below one half: all of it is dropped
    real = (AluReal){ALU_REAL_FINITE, real.is_negative, -2, UINT64_C(1) << 63, 0};
  uint32_t fraction_bits = (uint32_t)(63 - real.exponent); // 1 .. 65
  uint64_t whole = fraction_bits < 64 ? real.high >> fraction_bits : 0;
  uint64_t rest, below = real.low;
  if (fraction_bits <= 64) {
    rest = fraction_bits < 64 ? real.high << (64 - fraction_bits) : real.high;
  } else {
    rest = real.high >> 1;
    below |= real.high & 1;
  }
  whole += rounds_up(rounding, real.is_negative, whole & 1, rest, below);
  return alu_real_from_integer(whole, real.is_negative);
}

uint64_t alu_real_magnitude(AluReal real) {
  if (real.kind == ALU_REAL_ZERO)
    return 0;
  if (real.kind != ALU_REAL_FINITE || real.exponent > 63)
    return UINT64_MAX;
  return real.high >> (63 - real.exponent);
}

AluReal alu_real_multiply(AluReal a, AluReal b) {
  bool is_negative = a.is_negative != b.is_negative;
  bool is_zero = a.kind == ALU_REAL_ZERO || b.kind == ALU_REAL_ZERO;
  bool is_infinite = a.kind == ALU_REAL_INFINITE || b.kind == ALU_REAL_INFINITE;
  if (a.kind == ALU_REAL_NAN || b.kind == ALU_REAL_NAN || (is_zero && is_infinite))
    return (AluReal){.kind = ALU_REAL_NAN};
  if (is_zero || is_infinite)
    return (AluReal){.kind = is_zero ? ALU_REAL_ZERO : ALU_REAL_INFINITE,
                     .is_negative = is_negative};
  assert(a.low == 0 && b.low == 0);
  AluWide product = alu_multiply(a.high, b.high);
  return normalize((AluReal){ALU_REAL_FINITE, is_negative, a.exponent + b.exponent + 1,
                             product.high, product.low});
}

// |a| + |b|, with a's sign and a.exponent >= b.exponent.
static AluReal add_magnitudes(AluReal a, AluReal b) {
  uint64_t low = a.low + b.low, carry = low < a.low;
  uint64_t high = a.high + b.high, overflow_bit = high < a.high;
  high += carry;
  overflow_bit |= high < carry;
  a.high = high;
  a.low = low;
  if (overflow_bit) {
    shift_right(&a, 1);
    a.high |= UINT64_C(1) << 63;
    a.exponent++;
  }
  return a;
}

// |a| - |b|, with a's sign and |a| > |b|.
static AluReal subtract_magnitudes(AluReal a, AluReal b) {
  uint64_t borrow = a.low < b.low;
  a.low -= b.low;
  a.high -= b.high + borrow;
  return normalize(a);
}

static AluReal add_finite(AluReal a, AluReal b, AluRounding rounding) {
  bool is_less = a.exponent != b.exponent ? a.exponent < b.exponent
                 : a.high != b.high       ? a.high < b.high
                                          : a.low < b.low;
  AluReal great = is_less ? b : a, small = is_less ? a : b;
  bool is_equal = a.exponent == b.exponent && a.high == b.high && a.low == b.low;
  if (is_equal && a.is_negative != b.is_negative)
    return (AluReal){.kind = ALU_REAL_ZERO, .is_negative = rounding == ALU_ROUND_DOWN};
  shift_right(&small, (uint32_t)(great.exponent - small.exponent));
  return great.is_negative == small.is_negative ? add_magnitudes(great, small)
                                                : subtract_magnitudes(great, small);
}

AluReal alu_real_add(AluReal a, AluReal b, AluRounding rounding) {
  bool is_opposite = a.is_negative != b.is_negative;
  if (a.kind == ALU_REAL_NAN || b.kind == ALU_REAL_NAN)
    return (AluReal){.kind = ALU_REAL_NAN};
  if (a.kind == ALU_REAL_INFINITE && b.kind == ALU_REAL_INFINITE && is_opposite)
    return (AluReal){.kind = ALU_REAL_NAN};
  if (a.kind == ALU_REAL_INFINITE || b.kind == ALU_REAL_INFINITE)
    return a.kind == ALU_REAL_INFINITE ? a : b;
  if (a.kind == ALU_REAL_ZERO && b.kind == ALU_REAL_ZERO && is_opposite)
    return (AluReal){.kind = ALU_REAL_ZERO, .is_negative = rounding == ALU_ROUND_DOWN};
  if (a.kind == ALU_REAL_ZERO)
    return b;
  if (b.kind == ALU_REAL_ZERO)
    return a;
  return add_finite(a, b, rounding);
}

// Long division of the significands, one bit at a time; what remains is sticky.
static AluReal divide_finite(AluReal a, AluReal b) {
  uint64_t remainder = a.high, quotient = 0;
  for (uint32_t i = 0; i < 64; i++) {
    bool carry = i > 0 && remainder >> 63;
    if (i > 0)
      remainder <<= 1;
    bool fits = carry || remainder >= b.high;
    if (fits)
      remainder -= b.high;
    quotient = quotient << 1 | fits;
  }
  return normalize((AluReal){ALU_REAL_FINITE, a.is_negative != b.is_negative,
                             a.exponent - b.exponent, quotient, remainder != 0});
}

AluReal alu_real_divide(AluReal a, AluReal b) {
  bool is_negative = a.is_negative != b.is_negative;
  if (a.kind == ALU_REAL_NAN || b.kind == ALU_REAL_NAN)
    return (AluReal){.kind = ALU_REAL_NAN};
  if (a.kind == b.kind && a.kind != ALU_REAL_FINITE) // 0/0, infinity/infinity
    return (AluReal){.kind = ALU_REAL_NAN};
  if (a.kind == ALU_REAL_ZERO || b.kind == ALU_REAL_INFINITE)
    return (AluReal){.kind = ALU_REAL_ZERO, .is_negative = is_negative};
  if (a.kind == ALU_REAL_INFINITE || b.kind == ALU_REAL_ZERO)
    return (AluReal){.kind = ALU_REAL_INFINITE, .is_negative = is_negative};
  return divide_finite(a, b);
}

enum { ROOT_BITS = 60 }; // more than any format keeps, and the remainder fits 64 bits

// The root, digit by digit: each takes two bits of the significand, beginning with those before the
// binary point, so that the exponent is even.
static AluReal root_of_positive(AluReal a) {
  bool is_odd = a.exponent & 1;
  uint64_t rest = is_odd ? a.high : a.high >> 1; // no format uses the lowest bit
  uint64_t root = 0, remainder = 0;
  for (uint32_t i = 0; i < ROOT_BITS; i++) {
    remainder = remainder << 2 | rest >> 62;
    rest <<= 2;
    uint64_t trial = root << 2 | 1;
    bool fits = remainder >= trial;
    if (fits)
      remainder -= trial;
    root = root << 1 | fits;
  }
  int32_t exponent = (a.exponent - is_odd) / 2;
  return normalize(
      (AluReal){ALU_REAL_FINITE, false, exponent, root << (64 - ROOT_BITS), remainder != 0});
}

AluReal alu_real_square_root(AluReal a) {
  if (a.kind == ALU_REAL_ZERO || a.kind == ALU_REAL_NAN)
    return a;
  if (a.is_negative)
    return (AluReal){.kind = ALU_REAL_NAN};
  return a.kind == ALU_REAL_INFINITE ? a : root_of_positive(a);
}
