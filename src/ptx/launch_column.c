#include "ptx/launch_column.h"

#include "ptx/launch_parser.h"

#include <string.h>

// A case of a switch over kinds, or all that remains to do.
#define COMPUTE(member, expression)                                                                \
  for (uint32_t i = 0; i < count; i++)                                                             \
    result->member[i] = (expression);                                                              \
  return

void column_compute_unary(LaunchNodeKind kind, bool is_floating, const Column *operand,
                          uint32_t count, Column *result) {
  if (kind == LAUNCH_NODE_NOT && is_floating) {
    COMPUTE(integers, operand->floats[i] == 0);
  }
  if (kind == LAUNCH_NODE_NOT) {
    COMPUTE(integers, operand->integers[i] == 0);
  }
  if (kind == LAUNCH_NODE_COMPLEMENT) {
    COMPUTE(bits, ~operand->bits[i]);
  }
  if (is_floating) {
    COMPUTE(floats, -operand->floats[i]);
  }
  COMPUTE(bits, -operand->bits[i]);
}

#define COMPARE(left, right)                                                                       \
  case LAUNCH_NODE_LESS:                                                                           \
    COMPUTE(integers, left < right);                                                               \
  case LAUNCH_NODE_LESS_EQUAL:                                                                     \
    COMPUTE(integers, left <= right);                                                              \
  case LAUNCH_NODE_GREATER:                                                                        \
    COMPUTE(integers, left > right);                                                               \
  case LAUNCH_NODE_GREATER_EQUAL:                                                                  \
    COMPUTE(integers, left >= right);                                                              \
  case LAUNCH_NODE_EQUAL:                                                                          \
    COMPUTE(integers, left == right);                                                              \
  default:                                                                                         \
    COMPUTE(integers, left != right)

void column_compute_floats(LaunchNodeKind kind, const double *left, const double *right,
                           uint32_t count, Column *result) {
  switch (kind) {
  case LAUNCH_NODE_MULTIPLY:
    COMPUTE(floats, left[i] * right[i]);
  case LAUNCH_NODE_DIVIDE:
    COMPUTE(floats, left[i] / right[i]);
  case LAUNCH_NODE_ADD:
    COMPUTE(floats, left[i] + right[i]);
  case LAUNCH_NODE_SUBTRACT:
    COMPUTE(floats, left[i] - right[i]);
    COMPARE(left[i], right[i]);
  }
}

static int64_t divide(int64_t left, int64_t right) {
  if (right == -1)
    return (int64_t) - (uint64_t)left;
  return right == 0 ? 0 : left / right;
}

static int64_t find_remainder(int64_t left, int64_t right) {
  return right == -1 || right == 0 ? 0 : left % right;
}

static uint64_t shift_right(uint64_t left, uint64_t count) {
  return left >> 63 ? ~(~left >> count) : left >> count;
}

void column_compute_integers(LaunchNodeKind kind, const Column *left, const Column *right,
                             uint32_t count, Column *result) {
  const uint64_t *a = left->bits, *b = right->bits; // which wrap
  switch (kind) {
  case LAUNCH_NODE_MULTIPLY:
    COMPUTE(bits, a[i] * b[i]);
  case LAUNCH_NODE_DIVIDE:
    COMPUTE(integers, divide(left->integers[i], right->integers[i]));
  case LAUNCH_NODE_REMAINDER:
    COMPUTE(integers, find_remainder(left->integers[i], right->integers[i]));
  case LAUNCH_NODE_ADD:
    COMPUTE(bits, a[i] + b[i]);
  case LAUNCH_NODE_SUBTRACT:
    COMPUTE(bits, a[i] - b[i]);
  case LAUNCH_NODE_SHIFT_LEFT:
    COMPUTE(bits, a[i] << (b[i] & 63));
  case LAUNCH_NODE_SHIFT_RIGHT:
    COMPUTE(bits, shift_right(a[i], b[i] & 63));
  case LAUNCH_NODE_BIT_AND:
    COMPUTE(bits, a[i] & b[i]);
  case LAUNCH_NODE_BIT_XOR:
    COMPUTE(bits, a[i] ^ b[i]);
  case LAUNCH_NODE_BIT_OR:
    COMPUTE(bits, a[i] | b[i]);
    COMPARE(left->integers[i], right->integers[i]);
  }
}

static double float_of(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return (double)value;
}

void column_decode(PtxType type, uint32_t count, Column *result) {
  uint64_t sign = 1ull << (ptx_type_bits(type) - 1);
  if (type == PTX_TYPE_f64 || type == PTX_TYPE_s64)
    return;
  if (type == PTX_TYPE_f32) {
    COMPUTE(floats, float_of(result->bits[i]));
  }
  if (launch_type_is_floating(type)) {
    COMPUTE(floats, launch_decode(type, result->bits[i]).floating);
  }
  if (ptx_type_kind(type) == PTX_NUMBER_S) {
    COMPUTE(bits, (result->bits[i] ^ sign) - sign);
  }
}
