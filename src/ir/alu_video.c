// Video instructions (PTX ISA "Scalar Video Instructions", "SIMD Video Instructions").
#include "ir/alu_functions.h"

// The part of an operand: all of it, a byte or a half, as a signed 64-bit number.
static int64_t part_of(AluType type, uint64_t value, uint32_t part) {
  uint32_t bits = part == 0 ? 32 : part <= 4 ? 8 : 16;
  uint32_t index = part == 0 ? 0 : part <= 4 ? part - 1 : part - 5;
  uint64_t lane = alu_lane(value, index, bits);
  return (int64_t)(alu_types[type].kind == ALU_KIND_S ? alu_extend_sign(lane, bits) : lane);
}

static int64_t clamp(int64_t value, bool is_signed, uint32_t bits) {
  int64_t low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
  int64_t high = (int64_t)alu_mask(is_signed ? bits - 1 : bits);
  return value < low ? low : value > high ? high : value;
}

static bool is_signed(AluType type) {
  return alu_types[type].kind == ALU_KIND_S;
}

static uint32_t part_bits(uint32_t part) {
  return part == 0 ? 32 : part <= 4 ? 8 : 16;
}

// Shift counts: b is unsigned, clamped to 32 or taken modulo 32.
static int64_t shift_count(const AluOperation *operation, int64_t b) {
  if (!alu_has(operation, ALU_CLAMP))
    return b & 31;
  return b < 0 || b > 32 ? 32 : b;
}

static int64_t primary(const AluOperation *operation, AluOp op, int64_t a, int64_t b) {
  switch (op) {
  case ALU_VADD:
    return a + b;
  case ALU_VSUB:
    return a - b;
  case ALU_VABSDIFF:
    return a < b ? b - a : a - b;
  case ALU_VMIN:
    return a < b ? a : b;
  case ALU_VMAX:
    return a < b ? b : a;
  case ALU_VSHL:
    return (int64_t)((uint64_t)a << shift_count(operation, b));
  case ALU_VSHR:
    return a >> shift_count(operation, b);
  default: // ALU_VSET: the comparison of two numbers that are extended already
    return alu_compare(operation->compare, ALU_TYPE_S64, (uint64_t)a, (uint64_t)b);
  }
}

static uint64_t secondary(const AluOperation *operation, uint64_t value, uint64_t c) {
  AluType type = is_signed(operation->type) ? ALU_TYPE_S32 : ALU_TYPE_U32;
  uint64_t a = alu_widen(type, value), b = alu_widen(type, c);
  bool is_less = is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
  switch (operation->combine) {
  case ALU_COMBINE_ADD:
    return alu_truncate(a + b, 32);
  case ALU_COMBINE_MIN:
    return alu_truncate(is_less ? a : b, 32);
  case ALU_COMBINE_MAX:
    return alu_truncate(is_less ? b : a, 32);
  default:
    return alu_truncate(value, 32);
  }
}

// Puts the low bits of the value into the part of c that the destination names.
static uint64_t merge(uint32_t part, uint64_t value, uint64_t c) {
  uint32_t bits = part_bits(part), shift = (part <= 4 ? part - 1 : part - 5) * bits;
  uint64_t mask = alu_mask(bits) << shift;
  return (alu_truncate(c, 32) & ~mask) | (alu_truncate(value, bits) << shift);
}

void alu_video(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  int64_t a = part_of(operation->source, operands[0], operation->part[1]);
  int64_t b = part_of(operation->second, operands[1], operation->part[2]);
  int64_t value = primary(operation, operation->op, a, b);
  if (alu_has(operation, ALU_SAT))
    value = clamp(value, is_signed(operation->type), part_bits(operation->part[0]));
  if (alu_has(operation, ALU_MERGE))
    results[0] = merge(operation->part[0], (uint64_t)value, operands[2]);
  else
    results[0] = secondary(operation, (uint64_t)value, operands[2]);
}

// A whole number of 128 bits, in two's complement.
typedef struct Wide {
  uint64_t high, low;
} Wide;

static Wide wide(uint64_t low, bool is_negative) {
  return (Wide){is_negative ? UINT64_MAX : 0, low};
}

static Wide add(Wide a, Wide b) {
  Wide sum = {a.high + b.high, a.low + b.low};
  sum.high += sum.low < a.low;
  return sum;
}

static Wide invert(Wide a) {
  return (Wide){~a.high, ~a.low};
}

// The product of two numbers of 33 bits: of the magnitudes, which have 32, it has 64.
static Wide multiply(int64_t a, int64_t b) {
  uint64_t magnitude = (uint64_t)(a < 0 ? -a : a) * (uint64_t)(b < 0 ? -b : b);
  bool is_negative = (a < 0) != (b < 0) && magnitude;
  return is_negative ? add(invert(wide(magnitude, false)), wide(1, false)) : wide(magnitude, false);
}

// The lower word, clamped to 32 bits.
static uint64_t clamp_wide(Wide value, bool is_signed_result) {
  int64_t low = (int64_t)value.low;
  if (!is_signed_result)
    return value.high || value.low > UINT32_MAX ? UINT32_MAX : value.low;
  bool fits = value.high == (low < 0 ? UINT64_MAX : 0);
  if (!fits)
    low = value.high >> 63 ? INT64_MIN : INT64_MAX;
  return (uint64_t)clamp(low, true, 32);
}

// vmad: as the manual has it, in 128 bits.
void alu_video_product(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  int64_t a = part_of(operation->source, operands[0], operation->part[1]);
  int64_t b = part_of(operation->second, operands[1], operation->part[2]);
  bool minus_product = alu_has(operation, ALU_MINUS_PRODUCT);
  bool minus_sum = alu_has(operation, ALU_MINUS_SUM);
  bool is_signed_result =
      is_signed(operation->source) || is_signed(operation->second) || minus_product || minus_sum;
  uint64_t c = minus_sum ? ~operands[2] : operands[2];
  c = alu_widen(is_signed_result ? ALU_TYPE_S32 : ALU_TYPE_U32, alu_truncate(c, 32));
  Wide product = multiply(a, b);
  if (minus_product)
    product = invert(product);
  Wide sum = add(product, wide(c, is_signed_result && c >> 63));
  if (minus_product || minus_sum || alu_has(operation, ALU_PLUS_ONE))
    sum = add(sum, wide(1, false));
  if (operation->mode)
    sum = (Wide){is_signed_result && sum.high >> 63
                     ? ~(UINT64_MAX >> operation->mode) | sum.high >> operation->mode
                     : sum.high >> operation->mode,
                 sum.low >> operation->mode | sum.high << (64 - operation->mode)};
  results[0] =
      alu_truncate(alu_has(operation, ALU_SAT) ? clamp_wide(sum, is_signed_result) : sum.low, 32);
}

// The scalar operation that a SIMD one does in each lane; the average has none.
static AluOp lane_op(AluOp op) {
  switch (op) {
  case ALU_VADD2:
  case ALU_VADD4:
    return ALU_VADD;
  case ALU_VSUB2:
  case ALU_VSUB4:
    return ALU_VSUB;
  case ALU_VABSDIFF2:
  case ALU_VABSDIFF4:
    return ALU_VABSDIFF;
  case ALU_VMIN2:
  case ALU_VMIN4:
    return ALU_VMIN;
  case ALU_VMAX2:
  case ALU_VMAX4:
    return ALU_VMAX;
  default:
    return ALU_VSET;
  }
}

// Rounds away from zero on ties.
static int64_t average(int64_t a, int64_t b) {
  int64_t sum = a + b;
  return (sum >= 0 ? sum + 1 : sum) >> 1;
}

static int64_t lane_value(const AluOperation *operation, int64_t a, int64_t b) {
  if (operation->op == ALU_VAVRG2 || operation->op == ALU_VAVRG4)
    return average(a, b);
  return primary(operation, lane_op(operation->op), a, b);
}

static int64_t lane_of(AluType type, uint64_t value, uint32_t index, uint32_t bits) {
  uint64_t lane = alu_lane(value, index, bits);
  return (int64_t)(is_signed(type) ? alu_extend_sign(lane, bits) : lane);
}

// Lanes that the mask leaves out keep those of c. With .add, the other lanes' values, in full, are
// added to c.
void alu_video_lanes(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t count = operation->op >= ALU_VADD4 ? 4 : 2, bits = 32 / count;
  uint64_t both = alu_truncate(operands[1], 32) << 32 | alu_truncate(operands[0], 32);
  uint64_t packed = alu_truncate(operands[2], 32), sum = operands[2];
  for (uint32_t i = 0; i < count; i++) {
    if (!(operation->mode >> i & 1))
      continue;
    int64_t a = lane_of(operation->source, both, operation->lanes[0][i], bits);
    int64_t b = lane_of(operation->second, both, operation->lanes[1][i], bits);
    int64_t value = lane_value(operation, a, b);
    if (alu_has(operation, ALU_SAT))
      value = clamp(value, is_signed(operation->type), bits);
    uint64_t mask = alu_mask(bits) << (i * bits);
    packed = (packed & ~mask) | alu_truncate((uint64_t)value, bits) << (i * bits);
    sum += (uint64_t)value;
  }
  results[0] = operation->combine == ALU_COMBINE_ADD ? alu_truncate(sum, 32) : packed;
}
