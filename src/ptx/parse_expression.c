// Constant expressions (PTX ISA "Constant Expressions"), by precedence.
#include "ptx/parser.h"

typedef struct BinaryOperator {
  uint32_t token;
  uint8_t operation;
  uint8_t precedence; // higher binds tighter
} BinaryOperator;

enum { MULTIPLICATIVE = 10 };

static const BinaryOperator binary_operators[] = {
    {'*', PTX_OPERATOR_MULTIPLY, MULTIPLICATIVE},
    {'/', PTX_OPERATOR_DIVIDE, MULTIPLICATIVE},
    {'%', PTX_OPERATOR_REMAINDER, MULTIPLICATIVE},
    {'+', PTX_OPERATOR_ADD, 9},
    {'-', PTX_OPERATOR_SUBTRACT, 9},
    {TOKEN_SHIFT_LEFT, PTX_OPERATOR_SHIFT_LEFT, 8},
    {TOKEN_SHIFT_RIGHT, PTX_OPERATOR_SHIFT_RIGHT, 8},
    {'<', PTX_OPERATOR_LESS, 7},
    {TOKEN_LESS_EQUAL, PTX_OPERATOR_LESS_EQUAL, 7},
    {'>', PTX_OPERATOR_GREATER, 7},
    {TOKEN_GREATER_EQUAL, PTX_OPERATOR_GREATER_EQUAL, 7},
    {TOKEN_EQUAL, PTX_OPERATOR_EQUAL, 6},
    {TOKEN_NOT_EQUAL, PTX_OPERATOR_NOT_EQUAL, 6},
    {'&', PTX_OPERATOR_BIT_AND, 5},
    {'^', PTX_OPERATOR_BIT_XOR, 4},
    {'|', PTX_OPERATOR_BIT_OR, 3},
    {TOKEN_AND, PTX_OPERATOR_AND, 2},
    {TOKEN_OR, PTX_OPERATOR_OR, 1},
};

static const BinaryOperator *find_binary(uint32_t token) {
  for (size_t i = 0; i < sizeof binary_operators / sizeof *binary_operators; i++)
    if (binary_operators[i].token == token)
      return &binary_operators[i];
  return NULL;
}

static PtxOperator find_unary(uint32_t token) {
  switch (token) {
  case '+':
    return PTX_OPERATOR_PLUS;
  case '-':
    return PTX_OPERATOR_NEGATE;
  case '!':
    return PTX_OPERATOR_NOT;
  case '~':
    return PTX_OPERATOR_COMPLEMENT;
  default:
    return PTX_OPERATOR_NONE;
  }
}

static bool parse_choice(PtxParser *parser, PtxOperand *operand);

// Makes `operand` the expression `operation` of the children, which move to the module.
static bool combine(PtxParser *parser, PtxOperator operation, const PtxOperand *children,
                    uint32_t count, uint32_t begin, PtxOperand *operand) {
  PtxModule *module = parser->module;
  PtxRange range = {module->operands.count, count};
  for (uint32_t i = 0; i < count; i++)
    array_push(parser->arena, &module->operands, children[i]);
  *operand = (PtxOperand){.kind = PTX_OPERAND_EXPRESSION,
                          .operation = operation,
                          .children = range,
                          .target = PTX_NONE,
                          .variable = PTX_NONE,
                          .span = ptx_span_from(parser, begin)};
  return ptx_fold_operand(parser, operand);
}

static bool is_plain_literal(const PtxOperand *operand) {
  return operand->kind == PTX_OPERAND_INTEGER && !(operand->flags & PTX_OPERAND_NEGATIVE);
}

// A minus sign before a number belongs to the number.
static bool apply_unary(PtxParser *parser, PtxOperator operation, uint32_t begin,
                        PtxOperand *operand) {
  PtxOperand child = *operand;
  if (operation != PTX_OPERATOR_NEGATE)
    return combine(parser, operation, &child, 1, begin, operand);
  if (is_plain_literal(operand)) {
    operand->value = -operand->value;
    operand->flags |= PTX_OPERAND_NEGATIVE;
  } else if (operand->kind == PTX_OPERAND_FLOAT32) {
    operand->value ^= UINT64_C(1) << 31;
  } else if (operand->kind == PTX_OPERAND_FLOAT64) {
    operand->value ^= UINT64_C(1) << 63;
  } else {
    return combine(parser, operation, &child, 1, begin, operand);
  }
  operand->span.begin = begin;
  return true;
}

static PtxOperand number(const PtxParser *parser, PtxOperandKind kind, uint8_t flags) {
  const PtxToken *token = &parser->token;
  return (PtxOperand){.kind = (uint8_t)kind,
                      .flags = flags,
                      .radix = kind == PTX_OPERAND_INTEGER ? token->radix : 0,
                      .value = token->value,
                      .target = PTX_NONE,
                      .variable = PTX_NONE,
                      .span = ptx_token_span(parser)};
}

static bool parse_literal(PtxParser *parser, PtxOperand *operand) {
  const PtxToken *token = &parser->token;
  if (token->kind == TOKEN_INTEGER) {
    uint8_t flags = token->has_suffix ? PTX_OPERAND_SUFFIXED : 0;
    if (token->has_suffix || token->value > INT64_MAX)
      flags |= PTX_OPERAND_UNSIGNED;
    *operand = number(parser, PTX_OPERAND_INTEGER, flags);
  } else if (token->kind == TOKEN_FLOAT32) {
    *operand = number(parser, PTX_OPERAND_FLOAT32, 0);
  } else if (token->kind == TOKEN_FLOAT64) {
    *operand = number(parser, PTX_OPERAND_FLOAT64, 0);
  } else if (token->kind == TOKEN_NAME && token->name == parser->warp_size) {
    *operand = number(parser, PTX_OPERAND_WARP_SIZE, 0);
    operand->value = 32;
  } else {
    return ptx_unexpected(parser, "an operand");
  }
  ptx_advance(parser);
  return true;
}

static bool parse_unary(PtxParser *parser, PtxOperand *operand);

// Behind '(': a cast such as (.s64), or an expression in parentheses.
static bool parse_parenthesis(PtxParser *parser, uint32_t begin, PtxOperand *operand) {
  PtxOperator cast = PTX_OPERATOR_NONE;
  if (ptx_token_is(parser, "s64"))
    cast = PTX_OPERATOR_TO_SIGNED;
  else if (ptx_token_is(parser, "u64"))
    cast = PTX_OPERATOR_TO_UNSIGNED;
  if (!cast)
    return parse_choice(parser, operand) && ptx_expect(parser, ')', "')' to close the expression");
  ptx_advance(parser);
  return ptx_expect(parser, ')', "')' to close the cast") && parse_unary(parser, operand) &&
         apply_unary(parser, cast, begin, operand);
}

static bool parse_unary_inside(PtxParser *parser, PtxOperand *operand) {
  uint32_t begin = parser->token.begin;
  PtxOperator operation = find_unary(parser->token.kind);
  if (operation) {
    ptx_advance(parser);
    return parse_unary(parser, operand) && apply_unary(parser, operation, begin, operand);
  }
  if (ptx_accept(parser, '('))
    return parse_parenthesis(parser, begin, operand);
  return parse_literal(parser, operand);
}

static bool parse_unary(PtxParser *parser, PtxOperand *operand) {
  if (!ptx_enter(parser))
    return false;
  bool parsed = parse_unary_inside(parser, operand);
  ptx_leave(parser);
  return parsed;
}

// `operand` is parsed already: continues with binary operators of at least that precedence.
// Each one makes the tree deeper, and counts as a level of nesting until the end.
static bool parse_binary_rest(PtxParser *parser, uint8_t precedence, PtxOperand *operand) {
  uint32_t depth = parser->depth;
  for (;;) {
    const BinaryOperator *binary = find_binary(parser->token.kind);
    if (!binary || binary->precedence < precedence)
      break;
    if (!ptx_enter(parser))
      return false;
    uint32_t begin = operand->span.begin;
    PtxOperand children[2] = {*operand};
    ptx_advance(parser);
    if (!parse_unary(parser, &children[1]) ||
        !parse_binary_rest(parser, binary->precedence + 1, &children[1]) ||
        !combine(parser, binary->operation, children, 2, begin, operand))
      return false;
  }
  parser->depth = depth;
  return true;
}

static bool parse_choice_rest(PtxParser *parser, PtxOperand *operand) {
  if (!parse_binary_rest(parser, 0, operand))
    return false;
  uint32_t begin = operand->span.begin;
  PtxOperand children[3] = {*operand};
  if (!ptx_accept(parser, '?'))
    return true;
  return ptx_enter(parser) && parse_choice(parser, &children[1]) &&
         ptx_expect(parser, ':', "':' between the two values of '?'") &&
         parse_choice(parser, &children[2]) &&
         combine(parser, PTX_OPERATOR_CHOOSE, children, 3, begin, operand);
}

static bool parse_choice(PtxParser *parser, PtxOperand *operand) {
  uint32_t depth = parser->depth;
  bool parsed = parse_unary(parser, operand) && parse_choice_rest(parser, operand);
  parser->depth = depth;
  return parsed;
}

bool ptx_parse_constant(PtxParser *parser, PtxOperand *operand) {
  return parse_choice(parser, operand);
}

bool ptx_parse_constant_behind(PtxParser *parser, PtxOperator operation, uint32_t begin,
                               PtxOperand *operand) {
  uint32_t depth = parser->depth;
  bool parsed = parse_unary(parser, operand) && apply_unary(parser, operation, begin, operand) &&
                parse_choice_rest(parser, operand);
  parser->depth = depth;
  return parsed;
}

// Only the value is wanted: the operands of the expression leave the module again.
static bool parse_value(PtxParser *parser, PtxOperand *operand,
                        bool (*parse)(PtxParser *parser, PtxOperand *operand)) {
  uint32_t mark = parser->module->operands.count;
  bool parsed = parse(parser, operand);
  parser->module->operands.count = mark;
  return parsed;
}

bool ptx_parse_size(PtxParser *parser, uint64_t *value, uint64_t limit, const char *what) {
  PtxOperand operand;
  if (!parse_value(parser, &operand, ptx_parse_constant))
    return false;
  if (ptx_is_floating(&operand) || operand.value > limit)
    return ptx_error(parser, operand.span, "expected %s from 0 to %llu", what,
                     (unsigned long long)limit);
  *value = operand.value;
  return true;
}

static bool parse_product(PtxParser *parser, PtxOperand *operand) {
  return parse_unary(parser, operand) && parse_binary_rest(parser, MULTIPLICATIVE, operand);
}

bool ptx_parse_offset(PtxParser *parser, uint64_t *offset) {
  *offset = 0;
  while (parser->token.kind == '+' || parser->token.kind == '-') {
    bool is_minus = parser->token.kind == '-';
    PtxOperand operand;
    ptx_advance(parser);
    if (!parse_value(parser, &operand, parse_product))
      return false;
    if (ptx_is_floating(&operand))
      return ptx_error(parser, operand.span, "expected an integer offset, found a floating one");
    *offset += is_minus ? -operand.value : operand.value;
  }
  return true;
}
