// Operands of instructions and the values of initialisers.
#include "ptx/parser.h"

static bool parse_operand(PtxParser *parser, PtxOperand *operand, bool is_call);

static PtxOperand new_operand(PtxOperandKind kind, uint32_t begin) {
  return (PtxOperand){
      .kind = (uint8_t)kind, .target = PTX_NONE, .variable = PTX_NONE, .span = {begin, begin}};
}

void ptx_push_operand(PtxParser *parser, PtxOperand operand) {
  array_push(parser->arena, &parser->stack, operand);
}

PtxRange ptx_pop_operands(PtxParser *parser, uint32_t mark) {
  PtxModule *module = parser->module;
  PtxRange range = {module->operands.count, parser->stack.count - mark};
  for (uint32_t i = mark; i < parser->stack.count; i++)
    array_push(parser->arena, &module->operands, parser->stack.items[i]);
  parser->stack.count = mark;
  return range;
}

// Makes the top operands of the stack the children of `operand`, which then is complete.
static bool close_list(PtxParser *parser, PtxOperand *operand, uint32_t mark) {
  operand->children = ptx_pop_operands(parser, mark);
  operand->span = ptx_span_from(parser, operand->span.begin);
  return true;
}

static bool wrap_one(PtxParser *parser, PtxOperand *operand, PtxOperand child) {
  uint32_t mark = parser->stack.count;
  ptx_push_operand(parser, child);
  return close_list(parser, operand, mark);
}

// A list whose opening character is the next token.
static bool parse_list(PtxParser *parser, PtxOperand *operand, PtxOperandKind kind,
                       uint32_t closing, const char *what) {
  uint32_t mark = parser->stack.count;
  *operand = new_operand(kind, parser->token.begin);
  ptx_advance(parser);
  if (kind == PTX_OPERAND_LIST && ptx_accept(parser, closing))
    return close_list(parser, operand, mark);
  do {
    PtxOperand child;
    if (!parse_operand(parser, &child, false))
      return false;
    ptx_push_operand(parser, child);
  } while (ptx_accept(parser, ','));
  return ptx_expect(parser, closing, what) && close_list(parser, operand, mark);
}

// Behind a name: .x of a vector or special register; behind an address: .unified. The period must
// touch what is before it.
static void parse_component(PtxParser *parser, PtxOperand *operand) {
  if (parser->token.kind != TOKEN_DOT_NAME || parser->token.begin != parser->previous_end)
    return;
  operand->component = parser->token.name;
  ptx_advance(parser);
}

static bool parse_element(PtxParser *parser, PtxOperand *operand) {
  PtxOperand index;
  operand->kind = PTX_OPERAND_ELEMENT;
  ptx_advance(parser);
  return parse_operand(parser, &index, false) &&
         ptx_expect(parser, ']', "']' to close the index") && wrap_one(parser, operand, index);
}

static bool parse_name_offset(PtxParser *parser, PtxOperand *operand) {
  if (parser->token.kind != '+' && parser->token.kind != '-')
    return true;
  operand->flags |= PTX_OPERAND_HAS_OFFSET;
  return ptx_parse_offset(parser, &operand->value);
}

// generic(name), behind the first word.
static bool parse_generic(PtxParser *parser, PtxOperand *operand) {
  ptx_advance(parser);
  operand->flags |= PTX_OPERAND_GENERIC;
  return ptx_expect_name(parser, &operand->name, "a variable in 'generic(...)'") &&
         ptx_expect(parser, ')', "')' to close 'generic('");
}

// A name with what belongs to it; `flags` of a sign before it, which was at `begin`.
static bool parse_name(PtxParser *parser, PtxOperand *operand, uint8_t flags, uint32_t begin) {
  *operand = new_operand(PTX_OPERAND_NAME, begin);
  operand->name = parser->token.name;
  operand->flags = flags;
  ptx_advance(parser);
  if (operand->name == parser->sink) {
    operand->kind = PTX_OPERAND_SINK;
    operand->name = 0;
  } else if (operand->name == parser->generic && parser->token.kind == '(') {
    if (!parse_generic(parser, operand))
      return false;
  } else {
    parse_component(parser, operand);
    if (parser->token.kind == '[')
      return parse_element(parser, operand);
  }
  if (operand->kind == PTX_OPERAND_NAME && !parse_name_offset(parser, operand))
    return false;
  operand->span = ptx_span_from(parser, begin);
  return true;
}

static bool is_symbol(const PtxParser *parser) {
  return parser->token.kind == TOKEN_NAME && parser->token.name != parser->warp_size;
}

// !%p and -%r, or a constant expression that begins with that sign.
static bool parse_signed(PtxParser *parser, PtxOperand *operand) {
  uint32_t begin = parser->token.begin;
  bool is_not = parser->token.kind == '!';
  ptx_advance(parser);
  if (is_symbol(parser))
    return parse_name(parser, operand, is_not ? PTX_OPERAND_NOT : PTX_OPERAND_MINUS, begin);
  return ptx_parse_constant_behind(parser, is_not ? PTX_OPERATOR_NOT : PTX_OPERATOR_NEGATE, begin,
                                   operand);
}

// [a], also with a qualifier behind it: [a].unified
static bool parse_address(PtxParser *parser, PtxOperand *operand) {
  uint32_t begin = parser->token.begin;
  if (!parse_list(parser, operand, PTX_OPERAND_ADDRESS, ']', "',' or ']' in the address"))
    return false;
  parse_component(parser, operand);
  operand->span = ptx_span_from(parser, begin);
  return true;
}

static bool parse_single(PtxParser *parser, PtxOperand *operand, bool is_call) {
  switch (parser->token.kind) {
  case '[':
    return parse_address(parser, operand);
  case '{':
    return parse_list(parser, operand, PTX_OPERAND_VECTOR, '}', "',' or '}' in the vector");
  case '!':
  case '-':
    return parse_signed(parser, operand);
  case '(':
    if (is_call)
      return parse_list(parser, operand, PTX_OPERAND_LIST, ')', "',' or ')' in the list");
    return ptx_parse_constant(parser, operand);
  default:
    if (is_symbol(parser))
      return parse_name(parser, operand, 0, parser->token.begin);
    return ptx_parse_constant(parser, operand);
  }
}

// Behind the first half of d|p.
static bool parse_pair(PtxParser *parser, PtxOperand *operand) {
  PtxOperand second;
  PtxOperand pair = new_operand(PTX_OPERAND_PAIR, operand->span.begin);
  uint32_t mark = parser->stack.count;
  ptx_advance(parser);
  if (!is_symbol(parser))
    return ptx_unexpected(parser, "a register behind '|'");
  if (!parse_name(parser, &second, 0, parser->token.begin))
    return false;
  ptx_push_operand(parser, *operand);
  ptx_push_operand(parser, second);
  *operand = pair;
  return close_list(parser, operand, mark);
}

static bool is_half(const PtxOperand *operand) {
  return operand->kind == PTX_OPERAND_NAME || operand->kind == PTX_OPERAND_SINK;
}

static bool parse_operand(PtxParser *parser, PtxOperand *operand, bool is_call) {
  if (!ptx_enter(parser))
    return false;
  bool parsed = parse_single(parser, operand, is_call);
  if (parsed && parser->token.kind == '|' && is_half(operand))
    parsed = parse_pair(parser, operand);
  ptx_leave(parser);
  return parsed;
}

bool ptx_parse_operand(PtxParser *parser, PtxOperand *operand, bool is_call) {
  return parse_operand(parser, operand, is_call);
}

static bool parse_initializer(PtxParser *parser, PtxOperand *operand);

static bool parse_initializer_list(PtxParser *parser, PtxOperand *operand) {
  uint32_t mark = parser->stack.count;
  *operand = new_operand(PTX_OPERAND_VECTOR, parser->token.begin);
  ptx_advance(parser);
  do {
    PtxOperand child;
    if (!parse_initializer(parser, &child))
      return false;
    ptx_push_operand(parser, child);
  } while (ptx_accept(parser, ','));
  return ptx_expect(parser, '}', "',' or '}' in the initialiser") &&
         close_list(parser, operand, mark);
}

// Behind the mask of 0xFF00(name).
static bool parse_mask(PtxParser *parser, PtxOperand *operand) {
  PtxOperand child;
  operand->kind = PTX_OPERAND_MASK;
  ptx_advance(parser);
  if (!is_symbol(parser))
    return ptx_unexpected(parser, "a name behind the mask");
  return parse_name(parser, &child, 0, parser->token.begin) &&
         ptx_expect(parser, ')', "')' to close the mask") && wrap_one(parser, operand, child);
}

// name = value, of a .samplerref; `operand` is the name.
static bool parse_field(PtxParser *parser, PtxOperand *operand) {
  PtxOperand value;
  operand->kind = PTX_OPERAND_FIELD;
  ptx_advance(parser);
  return parse_initializer(parser, &value) && wrap_one(parser, operand, value);
}

static bool parse_value(PtxParser *parser, PtxOperand *operand) {
  if (parser->token.kind == '{')
    return parse_initializer_list(parser, operand);
  if (!parse_single(parser, operand, false))
    return false;
  if (operand->kind == PTX_OPERAND_INTEGER && parser->token.kind == '(')
    return parse_mask(parser, operand);
  bool is_word = operand->kind == PTX_OPERAND_NAME && !operand->component && !operand->flags;
  if (is_word && parser->token.kind == '=')
    return parse_field(parser, operand);
  return true;
}

static bool parse_initializer(PtxParser *parser, PtxOperand *operand) {
  if (!ptx_enter(parser))
    return false;
  bool parsed = parse_value(parser, operand);
  ptx_leave(parser);
  return parsed;
}

bool ptx_parse_initializer(PtxParser *parser, PtxOperand *operand) {
  return parse_initializer(parser, operand);
}

bool ptx_parse_argument(PtxParser *parser, PtxOperand *operand) {
  if (parser->token.kind != TOKEN_STRING)
    return ptx_parse_constant(parser, operand);
  *operand = new_operand(PTX_OPERAND_STRING, parser->token.begin);
  operand->name = parser->token.name;
  ptx_advance(parser);
  operand->span = ptx_span_from(parser, operand->span.begin);
  return true;
}
