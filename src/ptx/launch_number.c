// Numbers of launch lines: as written, as elements of a type, and back.
#include "ptx/launch_parser.h"

#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NUMBER_BYTES = 100 }; // of a floating-point number as written

static int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

// C's suffixes of integers, in any order.
static bool is_integer_suffix(const char *text) {
  return text[strspn(text, "uUlL")] == 0 && strlen(text) <= 3;
}

static bool is_floating_suffix(const char *text) {
  return *text == 0 || (strchr("fFlL", *text) && text[1] == 0);
}

// Reads digits up to the first other character; false: more than 64 bits.
static bool read_digits(const char **text, unsigned radix, uint64_t *value) {
  *value = 0;
  for (; digit_value(**text) < (int)radix; (*text)++) {
    unsigned digit = (unsigned)digit_value(**text);
    if (*value > (UINT64_MAX - digit) / radix)
      return false;
    *value = *value * radix + digit;
  }
  return true;
}

// Digits, with a period or an exponent or both, as strtod reads them.
static bool is_floating_text(const char *text) {
  size_t digit_count = strspn(text, "0123456789");
  const char *at = text + digit_count;
  if (*at != '.' && *at != 'e' && *at != 'E')
    return false;
  if (*at == '.') {
    size_t fraction_count = strspn(++at, "0123456789");
    digit_count += fraction_count;
    at += fraction_count;
  }
  if (*at == 'e' || *at == 'E') {
    at += 1 + (at[1] == '+' || at[1] == '-');
    size_t exponent_count = strspn(at, "0123456789");
    if (exponent_count == 0)
      return false;
    at += exponent_count;
  }
  return digit_count > 0 && is_floating_suffix(at);
}

static double read_floating(char *text) {
  // strtod expects the decimal point of the program's locale.
  char *point = strchr(text, '.');
  if (point)
    *point = localeconv()->decimal_point[0];
  return strtod(text, NULL);
}

static bool read_integer(LaunchParser *parser, const char *text, LaunchNumber *number) {
  bool is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *at = text + (is_hexadecimal ? 2 : 0), *digits = at;
  if (!is_hexadecimal && text[0] == '0' && digit_value(text[1]) < 10)
    return launch_expected(parser, "a number without zeros before it");
  if (!read_digits(&at, is_hexadecimal ? 16 : 10, &number->magnitude))
    return launch_expected(parser, "an integer of at most 64 bits");
  if (at == digits || !is_integer_suffix(at))
    return launch_expected(parser, "a number");
  number->is_hexadecimal = is_hexadecimal;
  return true;
}

bool launch_read_number(LaunchParser *parser, LaunchNumber *number) {
  *number = (LaunchNumber){.span = launch_token_span(parser)};
  if (parser->token.kind != LAUNCH_TOKEN_NUMBER)
    return launch_expected(parser, "a number");
  if (parser->token.end - parser->token.begin > MAX_NUMBER_BYTES)
    return launch_expected(parser, "a number of at most 100 characters");
  char text[MAX_NUMBER_BYTES + 1] = {0};
  memcpy(text, parser->source->text + parser->token.begin, parser->token.end - parser->token.begin);
  number->is_floating = is_floating_text(text);
  if (number->is_floating)
    number->floating = read_floating(text);
  else if (!read_integer(parser, text, number))
    return false;
  if (number->floating > DBL_MAX)
    return launch_expected(parser, "a number that fits f64");
  launch_next_token(parser);
  return true;
}

static bool take_special(LaunchParser *parser, LaunchNumber *number) {
  static const uint64_t infinity_bits = 0x7ff0000000000000u, nan_bits = 0x7ff8000000000000u;
  uint64_t bits = launch_at_word(parser, "inf") ? infinity_bits : nan_bits;
  if (!launch_at_word(parser, "inf") && !launch_at_word(parser, "nan"))
    return false;
  *number = (LaunchNumber){.is_floating = true};
  memcpy(&number->floating, &bits, sizeof bits);
  launch_next_token(parser);
  return true;
}

bool launch_read_signed_number(LaunchParser *parser, LaunchNumber *number) {
  uint32_t begin = parser->token.begin;
  bool is_negative = launch_take_token(parser, LAUNCH_TOKEN_MINUS);
  if (!is_negative)
    launch_take_token(parser, LAUNCH_TOKEN_PLUS);
  if (!take_special(parser, number) && !launch_read_number(parser, number))
    return false;
  number->is_negative = is_negative;
  if (is_negative)
    number->floating = -number->floating;
  number->span = launch_span_from(parser, begin);
  return true;
}

bool launch_read_count(LaunchParser *parser, const char *what, uint64_t first, uint64_t last,
                       uint64_t *count) {
  LaunchToken token = parser->token;
  LaunchNumber number = {0};
  if (token.kind == LAUNCH_TOKEN_NUMBER && !launch_read_number(parser, &number))
    return false;
  *count = number.magnitude;
  if (token.kind == LAUNCH_TOKEN_NUMBER && !number.is_floating && first <= *count && *count <= last)
    return true;
  parser->token = token; // the message is about it
  return launch_expected(parser, arena_format(parser->arena, "%s from %llu to %llu", what,
                                              (unsigned long long)first, (unsigned long long)last));
}

bool launch_read_integer(LaunchParser *parser, int64_t *integer) {
  LaunchNumber number;
  if (!launch_read_signed_number(parser, &number))
    return false;
  uint64_t bits = 0;
  if (number.is_floating || !launch_encode_number(PTX_TYPE_s64, &number, &bits))
    return launch_error(parser, number.span, "expected a signed integer of 64 bits, found '%s'",
                        arena_copy_text(parser->arena, parser->source->text + number.span.begin,
                                        number.span.end - number.span.begin));
  *integer = (int64_t)bits;
  return true;
}

// A binary floating-point format of IEEE 754's kind.
typedef struct FloatFormat {
  uint32_t exponent_bits, fraction_bits;
} FloatFormat;

static const FloatFormat double_format = {11, 52};

static FloatFormat float_format(PtxType type) {
  if (type == PTX_TYPE_f16)
    return (FloatFormat){5, 10};
  if (type == PTX_TYPE_bf16)
    return (FloatFormat){8, 7};
  return type == PTX_TYPE_f32 ? (FloatFormat){8, 23} : double_format;
}

static uint64_t exponent_limit(FloatFormat format) { // of infinity and nan
  return ((uint64_t)1 << format.exponent_bits) - 1;
}

static int exponent_bias(FloatFormat format) {
  return (1 << (format.exponent_bits - 1)) - 1;
}

// `significand` / 2^shift, to nearest, ties to even.
static uint64_t round_right(uint64_t significand, uint32_t shift) {
  if (shift == 0)
    return significand;
  uint64_t kept = significand >> shift, half = (uint64_t)1 << (shift - 1);
  uint64_t rest = significand & (2 * half - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

// The bits of a finite double without its sign, in that format.
static uint64_t narrow(FloatFormat format, uint64_t bits) {
  int exponent = (int)(bits >> 52) - exponent_bias(double_format) + exponent_bias(format);
  uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  uint64_t significand = bits >> 52 ? fraction | ((uint64_t)1 << 52) : fraction;
  uint32_t shift = 52 - format.fraction_bits;
  uint64_t infinity = exponent_limit(format) << format.fraction_bits;
  if (exponent <= 0) { // subnormal; far below, all is zero
    shift += (uint32_t)(1 - exponent);
    return shift > 60 ? 0 : round_right(significand, shift);
  }
  // The leading bit of the significand adds one to the exponent, and so may rounding.
  uint64_t narrowed =
      ((uint64_t)(exponent - 1) << format.fraction_bits) + round_right(significand, shift);
  return narrowed > infinity ? infinity : narrowed;
}

uint64_t launch_encode_floating(PtxType type, double floating) {
  FloatFormat format = float_format(type);
  uint64_t bits, sign_bit = (uint64_t)1 << 63;
  memcpy(&bits, &floating, sizeof bits);
  if (type == PTX_TYPE_f64)
    return bits;
  uint64_t sign =
      bits & sign_bit ? (uint64_t)1 << (format.exponent_bits + format.fraction_bits) : 0;
  bits &= ~sign_bit;
  uint64_t infinity = exponent_limit(format) << format.fraction_bits;
  if (bits >> 52 < exponent_limit(double_format))
    return sign | narrow(format, bits);
  bool is_nan = bits << 12 != 0;
  return sign | infinity | (is_nan ? (uint64_t)1 << (format.fraction_bits - 1) : 0);
}

static double decode_floating(PtxType type, uint64_t bits) {
  FloatFormat format = float_format(type);
  uint64_t fraction = bits & (((uint64_t)1 << format.fraction_bits) - 1);
  uint64_t exponent = (bits >> format.fraction_bits) & exponent_limit(format);
  bool is_negative = (bits >> (format.exponent_bits + format.fraction_bits)) & 1;
  int bias_change = exponent_bias(double_format) - exponent_bias(format);
  uint64_t wide_exponent = exponent == exponent_limit(format) ? exponent_limit(double_format)
                                                              : exponent + (uint64_t)bias_change;
  if (exponent == 0 && type != PTX_TYPE_f64) // fraction * 2^(1 - bias - fraction bits)
    wide_exponent = (uint64_t)(bias_change + 1 - (int)format.fraction_bits);
  uint64_t wide = wide_exponent << 52;
  if (exponent > 0 || type == PTX_TYPE_f64)
    wide |= fraction << (52 - format.fraction_bits);
  double value;
  memcpy(&value, &wide, sizeof value);
  if (exponent == 0 && type != PTX_TYPE_f64)
    value *= (double)fraction;
  return is_negative ? -value : value;
}

static uint64_t type_mask(PtxType type) {
  return UINT64_MAX >> (64 - ptx_type_bits(type));
}

static bool encode_integer_number(PtxType type, const LaunchNumber *number, uint64_t *bits) {
  uint64_t mask = type_mask(type), sign_bit = mask ^ (mask >> 1);
  uint64_t largest = mask;
  if (number->is_negative)
    largest = sign_bit;
  else if (ptx_type_kind(type) == PTX_NUMBER_S && !number->is_hexadecimal)
    largest = mask >> 1;
  if (number->magnitude > largest)
    return false;
  *bits = (number->is_negative ? -number->magnitude : number->magnitude) & mask;
  return true;
}

static bool is_infinite(PtxType type, uint64_t bits) {
  FloatFormat format = float_format(type);
  uint64_t without_sign = bits & (type_mask(type) >> 1);
  return without_sign == exponent_limit(format) << format.fraction_bits;
}

bool launch_encode_number(PtxType type, const LaunchNumber *number, uint64_t *bits) {
  if (!launch_type_is_floating(type))
    return !number->is_floating && encode_integer_number(type, number, bits);
  double value = number->floating;
  if (!number->is_floating)
    value = number->is_negative ? -(double)number->magnitude : (double)number->magnitude;
  uint64_t value_bits = launch_encode_floating(PTX_TYPE_f64, value);
  *bits = launch_encode_floating(type, value);
  return !is_infinite(type, *bits) || is_infinite(PTX_TYPE_f64, value_bits);
}

uint64_t launch_encode_integer(PtxType type, int64_t integer) {
  if (launch_type_is_floating(type))
    return launch_encode_floating(type, (double)integer);
  return (uint64_t)integer & type_mask(type);
}

LaunchValue launch_decode(PtxType type, uint64_t bits) {
  bits &= type_mask(type);
  if (launch_type_is_floating(type))
    return (LaunchValue){.is_floating = true, .floating = decode_floating(type, bits)};
  uint64_t mask = type_mask(type), sign_bit = mask ^ (mask >> 1);
  if (ptx_type_kind(type) == PTX_NUMBER_S && (bits & sign_bit))
    bits |= ~mask;
  return (LaunchValue){.integer = (int64_t)bits};
}
