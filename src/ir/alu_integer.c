// Integer arithmetic (PTX ISA "Integer Arithmetic Instructions" and "Extended-Precision Integer
// Arithmetic Instructions").
#include "ir/alu_functions.h"

static uint32_t bits_of(const AluOperation *operation) {
  return alu_types[operation->type].bits;
}

static bool is_signed(const AluOperation *operation) {
  return alu_types[operation->type].kind == ALU_KIND_S;
}

static bool is_float(const AluOperation *operation) {
  return alu_types[operation->type].kind == ALU_KIND_F;
}

static uint64_t widen(const AluOperation *operation, uint64_t value) {
  return alu_widen(operation->type, value);
}

static uint64_t truncate(const AluOperation *operation, uint64_t value) {
  return alu_truncate(value, bits_of(operation));
}

AluWide alu_multiply(uint64_t a, uint64_t b) {
  uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
  uint64_t low = a_low * b_low, cross = a_high * b_low + (low >> 32);
  uint64_t middle = a_low * b_high + (uint32_t)cross;
  return (AluWide){a_high * b_high + (cross >> 32) + (middle >> 32), middle << 32 | (uint32_t)low};
}

// The upper half of the product of two numbers of 64 bits.
static uint64_t multiply_high(bool is_signed_product, uint64_t a, uint64_t b) {
  uint64_t high = alu_multiply(a, b).high;
  if (is_signed_product)
    high -= (a >> 63 ? b : 0) + (b >> 63 ? a : 0);
  return high;
}

// The sum of two signed 64-bit numbers, held to the range of `bits` bits.
static uint64_t saturated_sum(uint64_t a, uint64_t b, uint32_t bits) {
  int64_t limit = (int64_t)alu_mask(bits - 1);
  int64_t sum;
  if (__builtin_add_overflow((int64_t)a, (int64_t)b, &sum))
    return (uint64_t)((int64_t)a < 0 ? -limit - 1 : limit);
  return (uint64_t)(sum > limit ? limit : sum < -limit - 1 ? -limit - 1 : sum);
}

// a + b + carry in `bits` bits; the carry out of them goes to `carry_out`.
static uint64_t add_with_carry(uint64_t a, uint64_t b, uint64_t carry, uint32_t bits,
                               uint64_t *carry_out) {
  a = alu_truncate(a, bits);
  b = alu_truncate(b, bits);
  uint64_t sum = a + b, total = sum + carry;
  *carry_out = bits == 64 ? (sum < a) | (total < sum) : total >> bits & 1;
  return alu_truncate(total, bits);
}

// Adds the last operands of add and mad, with the flags that both know.
static void finish_sum(const AluOperation *operation, uint64_t a, uint64_t b, uint64_t carry,
                       uint64_t *results) {
  uint32_t bits = bits_of(operation);
  if (alu_has(operation, ALU_SAT)) {
    results[0] =
        alu_truncate(saturated_sum(alu_extend_sign(a, bits), alu_extend_sign(b, bits), bits), bits);
    return;
  }
  uint64_t carry_out;
  results[0] = add_with_carry(a, b, carry, bits, &carry_out);
  if (alu_has(operation, ALU_CARRY_OUT))
    results[1] = carry_out;
}

void alu_add(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_float(operation)) {
    alu_float_add(operation, operands, results);
    return;
  }
  uint64_t carry = alu_has(operation, ALU_CARRY_IN) ? operands[2] & 1 : 0;
  finish_sum(operation, operands[0], operands[1], carry, results);
}

static uint64_t saturated_difference(uint64_t a, uint64_t b, uint32_t bits) {
  int64_t limit = (int64_t)alu_mask(bits - 1);
  int64_t difference;
  if (__builtin_sub_overflow((int64_t)a, (int64_t)b, &difference))
    return (uint64_t)((int64_t)a < 0 ? -limit - 1 : limit);
  return (uint64_t)(difference > limit ? limit : difference < -limit - 1 ? -limit - 1 : difference);
}

void alu_sub(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_float(operation)) {
    alu_float_sub(operation, operands, results);
    return;
  }
  if (alu_has(operation, ALU_SAT)) {
    results[0] = truncate(operation,
                          saturated_difference(widen(operation, operands[0]),
                                               widen(operation, operands[1]), bits_of(operation)));
    return;
  }
  // a + ~b + carry: the flag is the inverse of a borrow; without one it is 1.
  uint64_t carry = alu_has(operation, ALU_CARRY_IN) ? operands[2] & 1 : 1;
  finish_sum(operation, operands[0], ~operands[1], carry, results);
}

// The part of the product that the operation asks for.
static uint64_t product(const AluOperation *operation, const uint64_t *operands) {
  uint64_t a = widen(operation, operands[0]), b = widen(operation, operands[1]);
  if (operation->half != ALU_HALF_HIGH)
    return a * b;
  if (bits_of(operation) == 64)
    return multiply_high(is_signed(operation), a, b);
  return a * b >> bits_of(operation);
}

void alu_mul(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_float(operation)) {
    alu_float_mul(operation, operands, results);
    return;
  }
  uint32_t bits = bits_of(operation) * (operation->half == ALU_HALF_WIDE ? 2 : 1);
  results[0] = alu_truncate(product(operation, operands), bits);
}

void alu_mad(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t value = product(operation, operands);
  uint64_t carry = alu_has(operation, ALU_CARRY_IN) ? operands[3] & 1 : 0;
  if (operation->half == ALU_HALF_WIDE)
    results[0] = alu_truncate(value + operands[2], 2 * bits_of(operation));
  else
    finish_sum(operation, value, operands[2], carry, results);
}

// Operands of 24 bits; .hi is bits 16 to 47 of the product.
static uint64_t product24(const AluOperation *operation, const uint64_t *operands) {
  uint64_t a = alu_truncate(operands[0], 24), b = alu_truncate(operands[1], 24);
  if (is_signed(operation)) {
    a = alu_extend_sign(a, 24);
    b = alu_extend_sign(b, 24);
  }
  return alu_truncate(operation->half == ALU_HALF_HIGH ? a * b >> 16 : a * b, 32);
}

void alu_mul24(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  results[0] = product24(operation, operands);
}

void alu_mad24(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  finish_sum(operation, product24(operation, operands), operands[2], 0, results);
}

void alu_sad(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t a = widen(operation, operands[0]), b = widen(operation, operands[1]);
  bool is_less = is_signed(operation) ? (int64_t)a < (int64_t)b : a < b;
  results[0] = truncate(operation, operands[2] + (is_less ? b - a : a - b));
}

// Division by zero is unspecified in PTX; devices give all ones, as quotient and as remainder.
void alu_div(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_float(operation)) {
    alu_float_div(operation, operands, results);
    return;
  }
  uint64_t a = widen(operation, operands[0]), b = widen(operation, operands[1]);
  if (b == 0)
    results[0] = truncate(operation, UINT64_MAX);
  else if (!is_signed(operation))
    results[0] = a / b;
  else if (b == UINT64_MAX) // the smallest number divided by -1 wraps around
    results[0] = truncate(operation, 0 - a);
  else
    results[0] = truncate(operation, (uint64_t)((int64_t)a / (int64_t)b));
}

void alu_rem(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t a = widen(operation, operands[0]), b = widen(operation, operands[1]);
  if (b == 0)
    results[0] = truncate(operation, UINT64_MAX);
  else if (!is_signed(operation))
    results[0] = a % b;
  else if (b == UINT64_MAX)
    results[0] = 0;
  else
    results[0] = truncate(operation, (uint64_t)((int64_t)a % (int64_t)b));
}

void alu_abs(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_float(operation)) {
    alu_float_abs(operation, operands, results);
    return;
  }
  uint64_t a = widen(operation, operands[0]);
  results[0] = truncate(operation, a >> 63 ? 0 - a : a);
}

void alu_neg(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_float(operation))
    alu_float_neg(operation, operands, results);
  else
    results[0] = truncate(operation, 0 - operands[0]);
}

// The smaller or the greater of two integers; .relu then lifts negative ones to 0.
static uint64_t choose(const AluOperation *operation, const uint64_t *operands, bool is_max) {
  uint64_t a = widen(operation, operands[0]), b = widen(operation, operands[1]);
  bool is_less = is_signed(operation) ? (int64_t)a < (int64_t)b : a < b;
  uint64_t chosen = is_less == is_max ? b : a;
  if (alu_has(operation, ALU_RELU) && chosen >> 63)
    return 0;
  return truncate(operation, chosen);
}

void alu_min(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_float(operation))
    alu_float_min(operation, operands, results);
  else
    results[0] = choose(operation, operands, false);
}

void alu_max(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_float(operation))
    alu_float_max(operation, operands, results);
  else
    results[0] = choose(operation, operands, true);
}

// A lane of a dot product's operand as a 64-bit number.
static uint64_t dot_lane(AluType type, uint64_t value, uint32_t index, uint32_t bits) {
  uint64_t lane = alu_lane(value, index, bits);
  return alu_types[type].kind == ALU_KIND_S ? alu_extend_sign(lane, bits) : lane;
}

void alu_dp4a(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  bool is_of_nibbles = alu_types[operation->source].bits == 4;
  uint32_t bits = is_of_nibbles ? 4 : 8;
  uint64_t sum = operands[2];
  for (uint32_t i = 0; i < 32 / bits; i++)
    sum += dot_lane(operation->source, operands[0], i, bits) *
           dot_lane(operation->second, operands[1], i, bits);
  results[0] = alu_truncate(sum, 32);
}

void alu_dp2a(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t first = operation->half == ALU_HALF_HIGH ? 2 : 0;
  uint64_t sum = operands[2];
  for (uint32_t i = 0; i < 2; i++)
    sum += dot_lane(operation->source, operands[0], i, 16) *
           dot_lane(operation->second, operands[1], first + i, 8);
  results[0] = alu_truncate(sum, 32);
}
