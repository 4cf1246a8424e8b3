// Comparison and selection (PTX ISA "Comparison and Selection Instructions", "Half Precision
// Comparison Instructions", and testp).
#include "ir/alu_functions.h"
#include "ir/alu_real.h"

// -1, 0 or 1 as a is less than, equal to or greater than b.
static int order_integers(AluType type, uint64_t a, uint64_t b) {
  a = alu_widen(type, a);
  b = alu_widen(type, b);
  bool is_less = alu_types[type].kind == ALU_KIND_S ? (int64_t)a < (int64_t)b : a < b;
  return is_less ? -1 : a != b;
}

// Of numbers in sign and magnitude, neither of which is a NaN. The zeros are equal.
static int order_floats(AluType type, uint64_t a, uint64_t b) {
  uint32_t bits = alu_types[type].bits;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  int64_t a_value = (int64_t)alu_truncate(a, bits - 1),
          b_value = (int64_t)alu_truncate(b, bits - 1);
  a_value = a & sign ? -a_value : a_value;
  b_value = b & sign ? -b_value : b_value;
  return a_value < b_value ? -1 : a_value > b_value;
}

static bool holds(AluCompare compare, int order) {
  switch (compare) {
  case ALU_COMPARE_EQ:
  case ALU_COMPARE_EQU:
    return order == 0;
  case ALU_COMPARE_NE:
  case ALU_COMPARE_NEU:
    return order != 0;
  case ALU_COMPARE_LT:
  case ALU_COMPARE_LO:
  case ALU_COMPARE_LTU:
    return order < 0;
  case ALU_COMPARE_LE:
  case ALU_COMPARE_LS:
  case ALU_COMPARE_LEU:
    return order <= 0;
  case ALU_COMPARE_GT:
  case ALU_COMPARE_HI:
  case ALU_COMPARE_GTU:
    return order > 0;
  case ALU_COMPARE_GE:
  case ALU_COMPARE_HS:
  case ALU_COMPARE_GEU:
    return order >= 0;
  case ALU_COMPARE_NUM:
    return true;
  default: // ALU_COMPARE_NAN
    return false;
  }
}

// What a comparison says if an operand is a NaN.
static bool holds_unordered(AluCompare compare) {
  return (compare >= ALU_COMPARE_EQU && compare <= ALU_COMPARE_GEU) || compare == ALU_COMPARE_NAN;
}

bool alu_compare(AluCompare compare, AluType type, uint64_t a, uint64_t b) {
  if (alu_types[type].kind != ALU_KIND_F)
    return holds(compare, order_integers(type, a, b));
  if (alu_float_is_nan(type, a) || alu_float_is_nan(type, b))
    return holds_unordered(compare);
  return holds(compare, order_floats(type, a, b));
}

static bool compare_lane(const AluOperation *operation, AluType type, uint64_t a, uint64_t b) {
  if (alu_has(operation, ALU_FTZ)) {
    a = alu_float_flush(type, a);
    b = alu_float_flush(type, b);
  }
  return alu_compare(operation->compare, type, a, b);
}

static bool combine(const AluOperation *operation, bool is_true, const uint64_t *operands) {
  bool c = (operands[2] & 1) != alu_has(operation, ALU_NEGATED);
  switch (operation->combine) {
  case ALU_COMBINE_AND:
    return is_true && c;
  case ALU_COMBINE_OR:
    return is_true || c;
  default: // ALU_COMBINE_XOR
    return is_true != c;
  }
}

static bool combined(const AluOperation *operation, bool is_true, const uint64_t *operands) {
  return operation->combine == ALU_COMBINE_NONE ? is_true : combine(operation, is_true, operands);
}

// p|q: of scalars, the comparison and its opposite; of packed types, that of each lane.
void alu_setp(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  const AluTypeFacts *facts = &alu_types[operation->type];
  uint32_t bits = alu_types[facts->lane].bits;
  bool first = compare_lane(operation, facts->lane, alu_lane(operands[0], 0, bits),
                            alu_lane(operands[1], 0, bits));
  bool second = !first;
  if (facts->lanes == 2)
    second = compare_lane(operation, facts->lane, alu_lane(operands[0], 1, bits),
                          alu_lane(operands[1], 1, bits));
  results[0] = combined(operation, first, operands);
  if (alu_has(operation, ALU_PAIR))
    results[1] = combined(operation, second, operands);
}

// What set writes for true: 1.0 in a floating-point format, else all ones.
static uint64_t true_value(AluType type) {
  if (alu_types[type].kind == ALU_KIND_F)
    return alu_real_pack(type, alu_real_from_integer(1, false), ALU_ROUND_NEAREST, 0);
  return alu_mask(alu_types[type].bits);
}

void alu_set(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  const AluTypeFacts *source = &alu_types[operation->source], *type = &alu_types[operation->type];
  uint32_t bits = alu_types[source->lane].bits;
  // Packed operands give a packed result, also in a type such as u32.
  uint32_t result_bits = type->bits / source->lanes;
  uint64_t packed = 0;
  for (uint32_t i = 0; i < source->lanes; i++) {
    bool is_true = compare_lane(operation, source->lane, alu_lane(operands[0], i, bits),
                                alu_lane(operands[1], i, bits));
    if (combined(operation, is_true, operands))
      packed |= alu_truncate(true_value(type->lane), result_bits) << (i * result_bits);
  }
  results[0] = packed;
}

void alu_selp(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  bool c = (operands[2] & 1) != alu_has(operation, ALU_NEGATED);
  results[0] = alu_truncate(operands[c ? 0 : 1], alu_types[operation->type].bits);
}

// a if c >= 0, else b, also if c is a NaN. -0 is not less than 0.
void alu_slct(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t c = operands[2];
  if (alu_has(operation, ALU_FTZ))
    c = alu_float_flush(operation->source, c);
  bool takes_a = alu_compare(ALU_COMPARE_GE, operation->source, c, 0);
  results[0] = alu_truncate(operands[takes_a ? 0 : 1], alu_types[operation->type].bits);
}

void alu_testp(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t value = alu_truncate(operands[0], alu_types[operation->type].bits);
  AluRealKind kind = alu_real_unpack(operation->type, value, false).kind;
  bool is_subnormal = kind == ALU_REAL_FINITE &&
                      alu_real_unpack(operation->type, value, true).kind == ALU_REAL_ZERO;
  switch (operation->mode) {
  case ALU_TEST_FINITE:
    results[0] = kind == ALU_REAL_FINITE || kind == ALU_REAL_ZERO;
    break;
  case ALU_TEST_INFINITE:
    results[0] = kind == ALU_REAL_INFINITE;
    break;
  case ALU_TEST_NUMBER:
    results[0] = kind != ALU_REAL_NAN;
    break;
  case ALU_TEST_NOT_A_NUMBER:
    results[0] = kind == ALU_REAL_NAN;
    break;
  case ALU_TEST_NORMAL:
    results[0] = (kind == ALU_REAL_FINITE && !is_subnormal) || kind == ALU_REAL_ZERO;
    break;
  default: // ALU_TEST_SUBNORMAL
    results[0] = is_subnormal;
  }
}
