// Expressions of C, by precedence. Operands are evaluated from left to right. What only computes
// is data flow; a right operand of `&&`, `||` or `?:` that does more is jumped over.
#include "litmus/c_parser.h"

#include <string.h>

static bool parse_assignment(CParser *c, CValue *value);
static bool parse_unary(CParser *c, CValue *value);

static CValue number(Operand operand, uint32_t begin) {
  return (CValue){.kind = C_NUMBER, .operand = operand, .begin = begin};
}

bool c_parse_expression(CParser *c, CValue *value) {
  return parse_assignment(c, value);
}

bool c_parse_number(CParser *c, Operand *operand) {
  CValue value;
  return parse_assignment(c, &value) && c_read(c, &value, operand);
}

// --- names

CVariable *c_find_variable(CParser *c, const char *name) {
  for (uint32_t i = 0; i < c->variables.count; i++)
    if (strcmp(c->variables.items[i].name, name) == 0)
      return &c->variables.items[i];
  return NULL;
}

static const CParameter *find_parameter(const CParser *c, const char *name) {
  for (uint32_t i = 0; i < c->parameters.count; i++)
    if (strcmp(c->parameters.items[i].name, name) == 0)
      return &c->parameters.items[i];
  return NULL;
}

// The few names of C's headers that are values.
static bool find_constant(const char *name, CValue *value) {
  bool is_zero = strcmp(name, "NULL") == 0 || strcmp(name, "false") == 0;
  if (!is_zero && strcmp(name, "true") != 0)
    return false;
  *value = number(c_constant(is_zero ? 0 : 1), value->begin);
  return true;
}

static bool parse_name(CParser *c, CValue *value) {
  const char *name = c_copy_word(c);
  Span span = c_token_span(c);
  c_next_token(c);
  if (c->token.kind == C_TOKEN_PAREN_OPEN)
    return c_parse_call(c, name, span, value);
  const CVariable *variable = c_find_variable(c, name);
  if (variable && variable->is_visible) {
    value->kind = C_VARIABLE;
    value->operand = c_register(variable->index);
    return true;
  }
  const CParameter *parameter = find_parameter(c, name);
  if (parameter) {
    value->kind = C_ADDRESS;
    value->address = (CAddress){.object = parameter->object, .is_volatile = parameter->is_volatile};
    return true;
  }
  if (find_constant(name, value))
    return true;
  return litmus_error(c->litmus, span, "'%s' is neither a variable nor a parameter of P%u", name,
                      c->thread);
}

// --- addresses

// The element behind `address` whose number is known.
static bool find_element(CParser *c, CValue *value, int64_t element) {
  const LitmusObject *first = &c->litmus->objects.items[value->address.object];
  Span span = c_span_from(c, value->begin);
  if (element == 0)
    return true;
  if (strchr(first->name, '['))
    return litmus_error(c->litmus, span, "expected the name of an array, found its element '%s'",
                        first->name);
  if (element < 0 || element >= LITMUS_MAX_OBJECTS ||
      (first->element_count > 0 && element >= first->element_count))
    return litmus_error(c->litmus, span, "'%s' has no element %lld", first->name,
                        (long long)element);
  const char *name = arena_format(c->litmus->arena, "%s[%u]", first->name, (uint32_t)element);
  return litmus_get_object(c->litmus, name, span, &value->address.object);
}

bool c_add_index(CParser *c, CValue *value, Operand index) {
  const LitmusObject *first = &c->litmus->objects.items[value->address.object];
  if (value->address.element_count > 0)
    return litmus_error(c->litmus, c_span_from(c, value->begin),
                        "expected one index, found a second one");
  if (index.kind == OPERAND_CONSTANT)
    return find_element(c, value, index.constant);
  if (first->element_count == 0)
    return litmus_error(c->litmus, c_span_from(c, value->begin),
                        "the index is computed: expected '%s' to be declared as an array, like "
                        "'int %s[2];'",
                        first->name, first->name);
  value->address.element_count = first->element_count;
  value->address.index = index;
  return true;
}

// Behind '['.
static bool parse_index(CParser *c, CValue *value) {
  Operand index;
  if (value->kind != C_ADDRESS)
    return litmus_error(c->litmus, c_span_from(c, value->begin), "expected a parameter before '['");
  if (!c_parse_number(c, &index) || !c_expect(c, C_TOKEN_BRACKET_CLOSE) ||
      !c_add_index(c, value, index))
    return false;
  value->kind = C_MEMORY;
  return true;
}

static bool parse_dereference(CParser *c, CValue *value) {
  uint32_t begin = value->begin;
  if (!parse_unary(c, value))
    return false;
  value->begin = begin;
  if (value->kind != C_ADDRESS)
    return litmus_error(c->litmus, c_span_from(c, begin),
                        "expected a parameter behind '*': variables hold numbers only");
  value->kind = C_MEMORY;
  return true;
}

static bool parse_address_of(CParser *c, CValue *value) {
  uint32_t begin = value->begin;
  if (!parse_unary(c, value))
    return false;
  value->begin = begin;
  if (value->kind == C_VARIABLE)
    value->kind = C_POINTER;
  else if (value->kind == C_MEMORY)
    value->kind = C_ADDRESS;
  else
    return litmus_error(c->litmus, c_span_from(c, begin),
                        "expected a variable or a location behind '&'");
  return true;
}

// --- unary expressions

// Adds `step`; the result is the new value, or the old one.
static bool step(CParser *c, CValue *place, int64_t by, bool is_postfix) {
  Operand old, kept;
  if (!c_read(c, place, &old))
    return false;
  kept = old;
  if (is_postfix && place->kind == C_VARIABLE) {
    kept = c_register(c_new_temporary(c));
    c_emit_move(c, kept.index, old);
  }
  Operand fresh = c_emit_compute(c, IR_ADD, old, c_constant(by));
  CValue target = *place;
  *place = number(is_postfix ? kept : place->kind == C_VARIABLE ? old : fresh, place->begin);
  return c_assign(c, &target, fresh);
}

static bool parse_parenthesised(CParser *c, CValue *value) {
  CType ignored;
  if (c_at_type(c)) // a cast, which changes nothing
    return c_parse_type(c, &ignored) && c_expect(c, C_TOKEN_PAREN_CLOSE) && parse_unary(c, value);
  return parse_assignment(c, value) && c_expect(c, C_TOKEN_PAREN_CLOSE);
}

static bool parse_primary(CParser *c, CValue *value) {
  if (c->token.kind == C_TOKEN_NUMBER) {
    *value = number(c_constant(c->token.number), value->begin);
    c_next_token(c);
    return true;
  }
  if (c->token.kind == C_TOKEN_WORD)
    return parse_name(c, value);
  if (c_take(c, C_TOKEN_PAREN_OPEN))
    return parse_parenthesised(c, value);
  return c_expected(c, "an expression");
}

static bool parse_postfix(CParser *c, CValue *value) {
  uint32_t begin = value->begin;
  bool is_good = parse_primary(c, value);
  value->begin = begin;
  while (is_good) {
    if (c_take(c, C_TOKEN_BRACKET_OPEN))
      is_good = parse_index(c, value);
    else if (c_take(c, C_TOKEN_INCREMENT))
      is_good = step(c, value, 1, true);
    else if (c_take(c, C_TOKEN_DECREMENT))
      is_good = step(c, value, -1, true);
    else
      break;
  }
  return is_good;
}

// A sign or a negation: `left op operand`.
static bool parse_sign(CParser *c, CValue *value, IrOp op, int64_t left) {
  Operand operand;
  uint32_t begin = value->begin;
  if (!parse_unary(c, value) || !c_read(c, value, &operand))
    return false;
  *value = number(c_emit_compute(c, op, c_constant(left), operand), begin);
  return true;
}

static bool parse_prefix(CParser *c, CValue *value) {
  if (c_take(c, C_TOKEN_STAR))
    return parse_dereference(c, value);
  if (c_take(c, C_TOKEN_AMPERSAND))
    return parse_address_of(c, value);
  if (c_take(c, C_TOKEN_MINUS))
    return parse_sign(c, value, IR_SUB, 0);
  if (c_take(c, C_TOKEN_PLUS))
    return parse_sign(c, value, IR_ADD, 0);
  if (c_take(c, C_TOKEN_TILDE))
    return parse_sign(c, value, IR_XOR, -1);
  if (c_take(c, C_TOKEN_NOT))
    return parse_sign(c, value, IR_SET_EQ, 0);
  if (c_take(c, C_TOKEN_INCREMENT))
    return parse_unary(c, value) && step(c, value, 1, false);
  if (c_take(c, C_TOKEN_DECREMENT))
    return parse_unary(c, value) && step(c, value, -1, false);
  return parse_postfix(c, value);
}

static bool parse_unary(CParser *c, CValue *value) {
  *value = (CValue){.begin = c->token.begin};
  if (!c_nest(c))
    return false;
  bool is_good = parse_prefix(c, value);
  value->end = c->previous_end;
  c->nesting--;
  return is_good;
}

// --- binary expressions

typedef struct BinaryOperator {
  CTokenKind token, assignment; // `+`, `+=`; C_TOKEN_END: none
  uint32_t precedence;          // larger ones bind tighter
  IrOp op;                      // IR_NOP: see compute()
} BinaryOperator;

static const BinaryOperator operators[] = {
    {C_TOKEN_OR_OR, C_TOKEN_END, 1, IR_OR},
    {C_TOKEN_AND_AND, C_TOKEN_END, 2, IR_AND},
    {C_TOKEN_BAR, C_TOKEN_OR_ASSIGN, 3, IR_OR},
    {C_TOKEN_CARET, C_TOKEN_XOR_ASSIGN, 4, IR_XOR},
    {C_TOKEN_AMPERSAND, C_TOKEN_AND_ASSIGN, 5, IR_AND},
    {C_TOKEN_EQ, C_TOKEN_END, 6, IR_SET_EQ},
    {C_TOKEN_NE, C_TOKEN_END, 6, IR_SET_NE},
    {C_TOKEN_LT, C_TOKEN_END, 7, IR_SET_LT},
    {C_TOKEN_LE, C_TOKEN_END, 7, IR_SET_LE},
    {C_TOKEN_GT, C_TOKEN_END, 7, IR_SET_GT},
    {C_TOKEN_GE, C_TOKEN_END, 7, IR_SET_GE},
    {C_TOKEN_SHIFT_LEFT, C_TOKEN_SHIFT_LEFT_ASSIGN, 8, IR_NOP},
    {C_TOKEN_SHIFT_RIGHT, C_TOKEN_SHIFT_RIGHT_ASSIGN, 8, IR_NOP},
    {C_TOKEN_PLUS, C_TOKEN_ADD_ASSIGN, 9, IR_ADD},
    {C_TOKEN_MINUS, C_TOKEN_SUB_ASSIGN, 9, IR_SUB},
    {C_TOKEN_STAR, C_TOKEN_MUL_ASSIGN, 10, IR_MUL},
    {C_TOKEN_SLASH, C_TOKEN_DIV_ASSIGN, 10, IR_DIV},
    {C_TOKEN_PERCENT, C_TOKEN_MOD_ASSIGN, 10, IR_NOP},
};

static const BinaryOperator *find_operator(CTokenKind token, bool is_assignment) {
  for (uint32_t i = 0; token != C_TOKEN_END && i < sizeof operators / sizeof *operators; i++)
    if ((is_assignment ? operators[i].assignment : operators[i].token) == token)
      return &operators[i];
  return NULL;
}

static bool shift(CParser *c, const BinaryOperator *binary, Span span, Operand left, Operand right,
                  Operand *result) {
  bool is_left = binary->token == C_TOKEN_SHIFT_LEFT;
  if (right.kind != OPERAND_CONSTANT || right.constant < 0 || right.constant > 62)
    return litmus_error(c->litmus, span, "expected a constant from 0 to 62 behind '%s'",
                        is_left ? "<<" : ">>");
  if (!is_left && left.kind != OPERAND_CONSTANT)
    return litmus_error(c->litmus, span, "'>>' of a value that is not constant is not supported");
  if (is_left)
    *result = c_emit_compute(c, IR_MUL, left, c_constant((int64_t)1 << right.constant));
  else
    *result = c_constant(left.constant >> right.constant);
  return true;
}

static bool compute(CParser *c, const BinaryOperator *binary, Span span, Operand left,
                    Operand right, Operand *result) {
  bool divides = binary->token == C_TOKEN_SLASH || binary->token == C_TOKEN_PERCENT;
  if (divides && right.kind == OPERAND_CONSTANT && right.constant == 0)
    return litmus_error(c->litmus, span, "division by zero");
  if (binary->op != IR_NOP) {
    *result = c_emit_compute(c, binary->op, left, right);
    return true;
  }
  if (binary->token != C_TOKEN_PERCENT)
    return shift(c, binary, span, left, right, result);
  Operand quotient = c_emit_compute(c, IR_DIV, left, right);
  Operand multiple = c_emit_compute(c, IR_MUL, quotient, right);
  *result = c_emit_compute(c, IR_SUB, left, multiple);
  return true;
}

static bool parse_binary(CParser *c, uint32_t precedence, CValue *value);

// A register that both ways lead to.
static uint32_t put_in_register(CParser *c, Operand value) {
  uint32_t result = c_new_temporary(c);
  c_emit_move(c, result, value);
  return result;
}

// Behind `&&` or `||`.
static bool parse_logical(CParser *c, const BinaryOperator *binary, Operand left, CValue *value) {
  bool is_and = binary->token == C_TOKEN_AND_AND;
  Operand right;
  Operand known = c_emit_compute(c, IR_SET_NE, left, c_constant(0));
  uint32_t result = put_in_register(c, known);
  uint32_t gap = c_emit_label(c); // becomes a jump over what is not pure
  if (!parse_binary(c, binary->precedence + 1, value) || !c_read(c, value, &right))
    return false;
  bool is_pure = c_is_pure_from(c, gap);
  right = c_emit_compute(c, IR_SET_NE, right, c_constant(0));
  if (is_pure) {
    *value = number(c_emit_compute(c, binary->op, c_register(result), right), value->begin);
    return true;
  }
  c_emit_move(c, result, right);
  c_make_branch(c, gap, is_and ? IR_SET_EQ : IR_SET_NE, c_register(result), c_emit_label(c));
  *value = number(c_register(result), value->begin);
  return true;
}

// The right operand and what follows from both; `left` is a number or an address.
static bool parse_right(CParser *c, const BinaryOperator *binary, CValue *left) {
  CValue right;
  Operand a, b;
  bool is_sum = binary->token == C_TOKEN_PLUS || binary->token == C_TOKEN_MINUS;
  bool is_address = is_sum && left->kind == C_ADDRESS;
  uint32_t begin = left->begin;
  if (!is_address && !c_read(c, left, &a))
    return false;
  if (binary->precedence <= 2) {
    bool is_good = parse_logical(c, binary, a, left);
    left->begin = begin;
    return is_good;
  }
  if (!parse_binary(c, binary->precedence + 1, &right))
    return false;
  if (is_sum && !is_address && right.kind == C_ADDRESS && binary->token == C_TOKEN_PLUS) {
    *left = right;
    left->begin = begin;
    return c_add_index(c, left, a);
  }
  if (!c_read(c, &right, &b))
    return false;
  if (is_address) {
    if (binary->token == C_TOKEN_MINUS)
      b = c_emit_compute(c, IR_SUB, c_constant(0), b);
    return c_add_index(c, left, b);
  }
  left->kind = C_NUMBER;
  return compute(c, binary, c_span_from(c, begin), a, b, &left->operand);
}

// Operators of at least that precedence; all are left-associative.
static bool parse_binary(CParser *c, uint32_t precedence, CValue *value) {
  if (!parse_unary(c, value))
    return false;
  for (;;) {
    const BinaryOperator *binary = find_operator(c->token.kind, false);
    if (!binary || binary->precedence < precedence)
      return true;
    c_next_token(c);
    if (!parse_right(c, binary, value))
      return false;
  }
}

// --- conditional expressions and assignments

// Both ways only compute: a sum of which one part is zero.
static Operand select_value(CParser *c, Operand condition, Operand yes, Operand no) {
  Operand is_true = c_emit_compute(c, IR_SET_NE, condition, c_constant(0));
  Operand is_false = c_emit_compute(c, IR_SET_EQ, condition, c_constant(0));
  return c_emit_compute(c, IR_ADD, c_emit_compute(c, IR_MUL, is_true, yes),
                        c_emit_compute(c, IR_MUL, is_false, no));
}

// Behind '?'.
static bool parse_choice(CParser *c, CValue *value) {
  Operand condition, yes, no;
  uint32_t begin = value->begin;
  if (!c_read(c, value, &condition))
    return false;
  uint32_t gap = c_emit_label(c);
  if (!c_parse_number(c, &yes) || !c_expect(c, C_TOKEN_COLON))
    return false;
  uint32_t result = c_new_temporary(c), copy = c_here(c);
  bool is_pure = c_is_pure_from(c, gap);
  Instruction move = litmus_new_instruction(IR_MOVE, c_span_from(c, begin));
  move.dst = result;
  move.src[0] = yes;
  c_emit(c, move);
  uint32_t end = c_emit_label(c); // becomes the jump over the other way
  uint32_t other = c_emit_label(c);
  if (!c_parse_number(c, &no))
    return false;
  is_pure = is_pure && c_is_pure_from(c, copy);
  if (is_pure) {
    *value = number(select_value(c, condition, yes, no), begin);
    return true;
  }
  c_emit_move(c, result, no);
  c_make_branch(c, gap, IR_SET_EQ, condition, other);
  c_make_branch(c, end, IR_NOP, (Operand){0}, c_emit_label(c));
  *value = number(c_register(result), begin);
  return true;
}

// Behind the binary; NULL: `=`.
static bool parse_assigned(CParser *c, const BinaryOperator *binary, CValue *place) {
  Operand old = {0}, fresh;
  if (binary && !c_read(c, place, &old))
    return false;
  if (!c_parse_number(c, &fresh))
    return false;
  if (binary && !compute(c, binary, c_span_from(c, place->begin), old, fresh, &fresh))
    return false;
  bool is_good = c_assign(c, place, fresh);
  *place = number(place->kind == C_VARIABLE ? place->operand : fresh, place->begin);
  return is_good;
}

static bool parse_assignment(CParser *c, CValue *value) {
  if (!c_nest(c))
    return false;
  bool is_good = parse_binary(c, 1, value);
  if (is_good && c_take(c, C_TOKEN_QUESTION))
    is_good = parse_choice(c, value);
  const BinaryOperator *binary = find_operator(c->token.kind, true);
  if (is_good && (binary || c->token.kind == C_TOKEN_ASSIGN)) {
    c_next_token(c);
    is_good = parse_assigned(c, binary, value);
  }
  c->nesting--;
  return is_good;
}
