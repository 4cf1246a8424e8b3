// The values of constant expressions. Integers are .s64 or .u64, floating numbers .f64.
#include "ptx/parser.h"

#include <string.h>

static double as_double(const PtxOperand *operand) {
  double value;
  if (operand->kind == PTX_OPERAND_FLOAT32) {
    float single;
    uint32_t bits = (uint32_t)operand->value;
    memcpy(&single, &bits, sizeof single);
    return single;
  }
  if (ptx_is_floating(operand)) {
    memcpy(&value, &operand->value, sizeof value);
    return value;
  }
  return operand->flags & PTX_OPERAND_UNSIGNED ? (double)operand->value
                                               : (double)(int64_t)operand->value;
}

static bool is_true(const PtxOperand *operand) {
  return ptx_is_floating(operand) ? as_double(operand) != 0 : operand->value != 0;
}

static bool is_unsigned(const PtxOperand *operand) {
  return operand->flags & PTX_OPERAND_UNSIGNED;
}

static bool set_signed(PtxOperand *operand, uint64_t value) {
  operand->value = value;
  return true;
}

static bool set_unsigned(PtxOperand *operand, uint64_t value) {
  operand->flags |= PTX_OPERAND_UNSIGNED;
  return set_signed(operand, value);
}

static bool set_integer(PtxOperand *operand, uint64_t value, bool has_sign) {
  return has_sign ? set_signed(operand, value) : set_unsigned(operand, value);
}

static bool set_double(PtxOperand *operand, double value) {
  operand->flags |= PTX_OPERAND_FLOATING;
  memcpy(&operand->value, &value, sizeof value);
  return true;
}

static bool wrong_type(PtxParser *parser, const PtxOperand *operand) {
  return ptx_error(parser, operand->span,
                   "expected integers for this operator, found a floating number");
}

static bool fold_unary(PtxParser *parser, PtxOperand *operand, const PtxOperand *a) {
  bool is_float = ptx_is_floating(a);
  switch (operand->operation) {
  case PTX_OPERATOR_PLUS:
    return is_float ? set_double(operand, as_double(a))
                    : set_integer(operand, a->value, !is_unsigned(a));
  case PTX_OPERATOR_NEGATE:
    return is_float ? set_double(operand, -as_double(a))
                    : set_integer(operand, -a->value, !is_unsigned(a));
  case PTX_OPERATOR_NOT:
    return set_signed(operand, !is_true(a));
  case PTX_OPERATOR_COMPLEMENT:
    return is_float ? wrong_type(parser, operand) : set_unsigned(operand, ~a->value);
  case PTX_OPERATOR_TO_SIGNED:
    return is_float ? wrong_type(parser, operand) : set_signed(operand, a->value);
  default:
    return is_float ? wrong_type(parser, operand) : set_unsigned(operand, a->value);
  }
}

static bool compare_holds(PtxOperator operation, int order) {
  switch (operation) {
  case PTX_OPERATOR_LESS:
    return order < 0;
  case PTX_OPERATOR_LESS_EQUAL:
    return order <= 0;
  case PTX_OPERATOR_GREATER:
    return order > 0;
  case PTX_OPERATOR_GREATER_EQUAL:
    return order >= 0;
  case PTX_OPERATOR_EQUAL:
    return order == 0;
  default:
    return order != 0;
  }
}

// -1, 0, 1, or 2 when a NaN is involved.
static int compare(const PtxOperand *a, const PtxOperand *b) {
  if (ptx_is_floating(a) || ptx_is_floating(b)) {
    double x = as_double(a), y = as_double(b);
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
  }
  if (is_unsigned(a) || is_unsigned(b))
    return a->value < b->value ? -1 : a->value > b->value;
  int64_t x = (int64_t)a->value, y = (int64_t)b->value;
  return x < y ? -1 : x > y;
}

static bool fold_comparison(PtxOperand *operand, const PtxOperand *a, const PtxOperand *b) {
  int order = compare(a, b);
  bool holds = order == 2 ? operand->operation == PTX_OPERATOR_NOT_EQUAL
                          : compare_holds(operand->operation, order);
  return set_signed(operand, holds);
}

static bool fold_float(PtxParser *parser, PtxOperand *operand, double a, double b) {
  switch (operand->operation) {
  case PTX_OPERATOR_MULTIPLY:
    return set_double(operand, a * b);
  case PTX_OPERATOR_DIVIDE:
    return set_double(operand, b == 0 ? (a == 0 || a != a ? __builtin_nan("") : a * __builtin_inf())
                                      : a / b);
  case PTX_OPERATOR_ADD:
    return set_double(operand, a + b);
  case PTX_OPERATOR_SUBTRACT:
    return set_double(operand, a - b);
  default:
    return wrong_type(parser, operand);
  }
}

static bool fold_division(PtxParser *parser, PtxOperand *operand, uint64_t a, uint64_t b,
                          bool has_sign) {
  bool is_quotient = operand->operation == PTX_OPERATOR_DIVIDE;
  if (b == 0)
    return ptx_error(parser, operand->span, "expected a divisor other than zero");
  if (!has_sign)
    return set_unsigned(operand, is_quotient ? a / b : a % b);
  // The quotient of the smallest number and -1 wraps; C leaves it undefined.
  if (b == UINT64_MAX)
    return set_signed(operand, is_quotient ? -a : 0);
  int64_t x = (int64_t)a, y = (int64_t)b;
  return set_signed(operand, (uint64_t)(is_quotient ? x / y : x % y));
}

static uint64_t shift_right(uint64_t a, uint64_t count, bool has_sign) {
  bool fill = has_sign && a >> 63;
  if (count > 63)
    return fill ? UINT64_MAX : 0;
  return fill ? ~(~a >> count) : a >> count;
}

static bool fold_integer(PtxParser *parser, PtxOperand *operand, const PtxOperand *left,
                         const PtxOperand *right) {
  uint64_t a = left->value, b = right->value;
  bool has_sign = !is_unsigned(left) && !is_unsigned(right);
  switch (operand->operation) {
  case PTX_OPERATOR_MULTIPLY:
    return set_integer(operand, a * b, has_sign);
  case PTX_OPERATOR_DIVIDE:
  case PTX_OPERATOR_REMAINDER:
    return fold_division(parser, operand, a, b, has_sign);
  case PTX_OPERATOR_ADD:
    return set_integer(operand, a + b, has_sign);
  case PTX_OPERATOR_SUBTRACT:
    return set_integer(operand, a - b, has_sign);
  case PTX_OPERATOR_SHIFT_LEFT:
    return set_integer(operand, b > 63 ? 0 : a << b, !is_unsigned(left));
  case PTX_OPERATOR_SHIFT_RIGHT:
    return set_integer(operand, shift_right(a, b, !is_unsigned(left)), !is_unsigned(left));
  case PTX_OPERATOR_BIT_AND:
    return set_unsigned(operand, a & b);
  case PTX_OPERATOR_BIT_XOR:
    return set_unsigned(operand, a ^ b);
  default:
    return set_unsigned(operand, a | b);
  }
}

static bool fold_binary(PtxParser *parser, PtxOperand *operand, const PtxOperand *a,
                        const PtxOperand *b) {
  PtxOperator operation = operand->operation;
  if (operation >= PTX_OPERATOR_LESS && operation <= PTX_OPERATOR_NOT_EQUAL)
    return fold_comparison(operand, a, b);
  if (operation == PTX_OPERATOR_AND)
    return set_signed(operand, is_true(a) && is_true(b));
  if (operation == PTX_OPERATOR_OR)
    return set_signed(operand, is_true(a) || is_true(b));
  if (ptx_is_floating(a) || ptx_is_floating(b))
    return fold_float(parser, operand, as_double(a), as_double(b));
  return fold_integer(parser, operand, a, b);
}

static bool fold_choice(PtxOperand *operand, const PtxOperand *children) {
  const PtxOperand *chosen = is_true(&children[0]) ? &children[1] : &children[2];
  if (ptx_is_floating(&children[1]) || ptx_is_floating(&children[2]))
    return set_double(operand, as_double(chosen));
  bool has_sign = !is_unsigned(&children[1]) && !is_unsigned(&children[2]);
  return set_integer(operand, chosen->value, has_sign);
}

bool ptx_is_floating(const PtxOperand *operand) {
  return operand->kind == PTX_OPERAND_FLOAT32 || operand->kind == PTX_OPERAND_FLOAT64 ||
         (operand->flags & PTX_OPERAND_FLOATING);
}

bool ptx_fold_operand(PtxParser *parser, PtxOperand *operand) {
  const PtxOperand *children = &parser->module->operands.items[operand->children.first];
  switch (operand->children.count) {
  case 1:
    return fold_unary(parser, operand, &children[0]);
  case 2:
    return fold_binary(parser, operand, &children[0], &children[1]);
  default:
    return fold_choice(operand, children);
  }
}
