// Conversion (PTX ISA "Data Movement and Conversion Instructions: cvt", "cvt.pack").
#include "ir/alu_functions.h"
#include "ir/alu_real.h"

static bool is_float(AluType type) {
  return alu_types[type].kind == ALU_KIND_F;
}

static bool is_signed(AluType type) {
  return alu_types[type].kind == ALU_KIND_S;
}

static uint64_t greatest(AluType type) {
  uint32_t bits = alu_types[type].bits;
  return alu_mask(is_signed(type) ? bits - 1 : bits);
}

// The nearest number of the type to (-1)^is_negative * magnitude.
static uint64_t clamp_magnitude(AluType type, uint64_t magnitude, bool is_negative) {
  if (is_negative) {
    uint64_t limit = is_signed(type) ? greatest(type) + 1 : 0;
    return alu_truncate(0 - (magnitude < limit ? magnitude : limit), alu_types[type].bits);
  }
  return magnitude < greatest(type) ? magnitude : greatest(type);
}

static uint64_t integer_to_integer(const AluOperation *operation, uint64_t value) {
  uint64_t wide = alu_widen(operation->source, value);
  if (!alu_has(operation, ALU_SAT))
    return alu_truncate(wide, alu_types[operation->type].bits);
  bool is_negative = is_signed(operation->source) && wide >> 63;
  return clamp_magnitude(operation->type, is_negative ? 0 - wide : wide, is_negative);
}

static uint64_t integer_to_float(const AluOperation *operation, uint64_t value) {
  uint64_t wide = alu_widen(operation->source, value);
  bool is_negative = is_signed(operation->source) && wide >> 63;
  AluReal real = alu_real_from_integer(is_negative ? 0 - wide : wide, is_negative && wide);
  return alu_real_pack(operation->type, real, operation->rounding, operation->flags);
}

// A NaN becomes 0; where one of the types has 64 bits, the number with only the top bit set.
static uint64_t integer_of_nan(const AluOperation *operation) {
  uint32_t bits = alu_types[operation->type].bits;
  bool is_wide = operation->source == ALU_TYPE_F64 || bits == 64;
  return is_wide ? UINT64_C(1) << (bits - 1) : 0;
}

// Numbers out of range become the nearest one in range, with or without .sat.
static uint64_t float_to_integer(const AluOperation *operation, uint64_t value) {
  AluReal real = alu_real_unpack(operation->source, value, alu_has(operation, ALU_FTZ));
  if (real.kind == ALU_REAL_NAN)
    return integer_of_nan(operation);
  real = alu_real_round_integral(real, operation->rounding);
  return clamp_magnitude(operation->type, alu_real_magnitude(real), real.is_negative);
}

// Without any change of format these are plain copies, and bf16 is the upper half of an f32.
static bool copies_bits(const AluOperation *operation, AluType type, AluType source) {
  bool is_plain = operation->flags == 0;
  bool is_same = type == source && (type == ALU_TYPE_F32 || type == ALU_TYPE_F64);
  return is_plain && (is_same || (type == ALU_TYPE_F32 && source == ALU_TYPE_BF16));
}

// To and from f64 a NaN keeps its sign and what fits of its fraction, to tf32 by .rna the bits that
// are left; elsewhere all become one.
static uint64_t convert_nan(const AluOperation *operation, AluType type, AluType source,
                            uint64_t value) {
  if (alu_has(operation, ALU_SAT))
    return 0;
  if (type == ALU_TYPE_TF32 && operation->rounding == ALU_ROUND_NEAREST_AWAY)
    return value & ~alu_mask(13);
  if (alu_has(operation, ALU_FTZ) && source == ALU_TYPE_F32)
    value = alu_float_nan(source);
  if (type == ALU_TYPE_F64 || source == ALU_TYPE_F64)
    return alu_float_convert_nan(type, source, value);
  return alu_float_nan(type);
}

// The power of 2 next to the magnitude of an f32, as ue8m0: its exponent.
static uint64_t float_to_scale(const AluOperation *operation, uint32_t bits) {
  enum { FRACTION = 23, LEAST = 1 << 22, NOT_A_NUMBER = 0xff }; // LEAST: 2^-127
  const uint32_t infinity = 0xffu << FRACTION;
  uint32_t magnitude = bits & ~(1u << 31), scale = magnitude >> FRACTION;
  bool is_exact = (magnitude & (uint32_t)alu_mask(FRACTION)) == 0 || magnitude <= LEAST;
  if (operation->rounding == ALU_ROUND_UP && !is_exact && magnitude < infinity)
    scale++;
  if (alu_has(operation, ALU_SATFINITE) && magnitude <= infinity && scale == NOT_A_NUMBER)
    scale--;
  return scale;
}

static uint64_t scale_to_bfloat(uint64_t scale) {
  return scale == 0xff ? 0x7fff : scale == 0 ? 0x40 : scale << 7;
}

// .ftz flushes operands and results of the type f32 only; operands not where f16 is the result,
// which has no number as small.
static uint64_t float_to_float(const AluOperation *operation, AluType type, AluType source,
                               uint64_t value) {
  value = alu_truncate(value, alu_types[source].bits);
  if (type == ALU_TYPE_UE8M0)
    return float_to_scale(operation, (uint32_t)(source == ALU_TYPE_BF16 ? value << 16 : value));
  if (source == ALU_TYPE_UE8M0)
    return scale_to_bfloat(value);
  if (copies_bits(operation, type, source))
    return type == source ? value : value << 16;
  if (alu_float_is_nan(source, value))
    return convert_nan(operation, type, source, value);
  bool flushes = alu_has(operation, ALU_FTZ);
  bool flushes_source = flushes && source == ALU_TYPE_F32 && type != ALU_TYPE_F16;
  AluReal real = alu_real_unpack(source, value, flushes_source);
  if (alu_has(operation, ALU_INTEGRAL))
    real = alu_real_round_integral(real, operation->rounding);
  uint32_t flags = operation->flags;
  if (type != ALU_TYPE_F32)
    flags &= ~(uint32_t)ALU_FTZ;
  return alu_real_pack(type, real, operation->rounding, flags);
}

// Two numbers become lanes of one result: the first operand is the upper one. A packed operand
// keeps its order.
static uint64_t convert_lanes(const AluOperation *operation, const uint64_t *operands) {
  const AluTypeFacts *type = &alu_types[operation->type], *source = &alu_types[operation->source];
  uint32_t bits = alu_types[type->lane].bits, source_bits = alu_types[source->lane].bits;
  uint64_t packed = 0;
  for (uint32_t i = 0; i < type->lanes; i++) {
    uint64_t value =
        source->lanes > 1 ? alu_lane(operands[0], i, source_bits) : operands[type->lanes - 1 - i];
    packed |= float_to_float(operation, type->lane, source->lane, value) << (i * bits);
  }
  return packed;
}

// A destination wider than the type is filled with the sign, or zeros.
static uint64_t extend(const AluOperation *operation, uint64_t value) {
  if (operation->width <= alu_types[operation->type].bits)
    return value;
  return alu_truncate(alu_widen(operation->type, value), operation->width);
}

void alu_cvt(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (alu_types[operation->type].lanes > 1)
    results[0] = convert_lanes(operation, operands);
  else if (is_float(operation->type) && is_float(operation->source))
    results[0] = float_to_float(operation, operation->type, operation->source, operands[0]);
  else if (is_float(operation->type))
    results[0] = integer_to_float(operation, operands[0]);
  else if (is_float(operation->source))
    results[0] = extend(operation, float_to_integer(operation, operands[0]));
  else
    results[0] = extend(operation, integer_to_integer(operation, operands[0]));
}

// c shifted left by two elements, then a and b as elements, saturated.
void alu_cvt_pack(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = alu_types[operation->type].bits;
  uint64_t packed = operation->count == 3 ? operands[2] << (2 * bits) : 0;
  for (uint32_t i = 0; i < 2; i++) {
    uint64_t wide = alu_widen(operation->source, operands[i]);
    bool is_negative = wide >> 63;
    uint64_t element = clamp_magnitude(operation->type, is_negative ? 0 - wide : wide, is_negative);
    packed |= element << ((1 - i) * bits);
  }
  results[0] = alu_truncate(packed, 32);
}
