// Expressions of C, by precedence. Operands are evaluated from left to right. What only computes
// is data flow; a right operand of `&&`, `||` or `?:` that does more is jumped over.
#include "litmus/c_parser.h"

#include <string.h>

static bool parse_assignment(CParser *c, CValue *value);
static bool parse_unary(CParser *c, CValue *value);

static CValue number(Operand operand, CType type, uint32_t begin) {
  type.is_volatile = false;
  return (CValue){.kind = C_NUMBER, .operand = operand, .type = type, .begin = begin};
}

bool c_parse_expression(CParser *c, CValue *value) {
  return parse_assignment(c, value);
}

static const CType address_type = {.size = 8};

// What a value has been read from matters no more.
static CType type_of(const CValue *value) {
  return value->kind == C_ADDRESS ? address_type : value->type;
}

static bool parse_read(CParser *c, Operand *operand, CType *type) {
  CValue value;
  if (!parse_assignment(c, &value) || !c_read(c, &value, operand))
    return false;
  *type = type_of(&value);
  return true;
}

bool c_parse_number(CParser *c, Operand *operand) {
  CType ignored;
  return parse_read(c, operand, &ignored);
}

bool c_parse_converted(CParser *c, CType type, Operand *operand) {
  CType own;
  if (!parse_read(c, operand, &own))
    return false;
  *operand = c_convert(c, *operand, own, type);
  return true;
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
  *value = number(c_constant(is_zero ? 0 : 1), c_int, value->begin);
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
    value->type = variable->type;
    return true;
  }
  const CParameter *parameter = find_parameter(c, name);
  if (parameter) {
    value->kind = C_ADDRESS;
    value->address = (CAddress){.object = parameter->object, .type = parameter->type};
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
  value->type = value->address.type;
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
  value->type = value->address.type;
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

// What arithmetic on a type leaves: unsigned values wrap around, of signed ones C says nothing.
static Operand reduce(CParser *c, Operand value, CType type) {
  return type.is_signed ? value : c_wrap(c, value, type);
}

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
  CValue target = *place;
  CType wide = c_promote(target.type);
  Operand fresh = reduce(c, c_emit_compute(c, IR_ADD, old, c_constant(by)), wide);
  fresh = c_convert(c, fresh, wide, target.type);
  *place = number(is_postfix                  ? kept
                  : place->kind == C_VARIABLE ? old
                                              : fresh,
                  target.type, place->begin);
  return c_assign(c, &target, fresh, target.type);
}

// Behind `(`, at a type. What is cast to a pointer stays what it is.
static bool parse_cast(CParser *c, CValue *value) {
  CType type;
  Operand operand;
  uint32_t begin = value->begin;
  if (!c_parse_type(c, &type))
    return false;
  bool is_pointer = c_take(c, C_TOKEN_STAR);
  if (!c_expect(c, C_TOKEN_PAREN_CLOSE) || !parse_unary(c, value))
    return false;
  if (is_pointer && value->kind != C_ADDRESS)
    return litmus_error(c->litmus, c_span_from(c, begin),
                        "expected a parameter or '&' behind a cast to a pointer");
  if (is_pointer) {
    value->address.type.is_volatile = type.is_volatile;
    if (type.size != value->address.type.size || type.is_signed != value->address.type.is_signed)
      return litmus_error(c->litmus, c_span_from(c, begin),
                          "a pointer to another type is not supported: expected the object's own");
    return true;
  }
  if (!c_read(c, value, &operand))
    return false;
  *value = number(c_convert(c, operand, type_of(value), type), type, begin);
  return true;
}

static bool parse_parenthesised(CParser *c, CValue *value) {
  if (c_at_type(c))
    return parse_cast(c, value);
  return parse_assignment(c, value) && c_expect(c, C_TOKEN_PAREN_CLOSE);
}

static bool parse_primary(CParser *c, CValue *value) {
  if (c->token.kind == C_TOKEN_NUMBER) {
    CType type = {.size = c->token.is_long ? 8 : 4, .is_signed = !c->token.is_unsigned};
    *value = number(c_constant(c->token.number), type, value->begin);
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
  CType type = op == IR_SET_EQ ? c_int : c_promote(type_of(value));
  *value = number(reduce(c, c_emit_compute(c, op, c_constant(left), operand), type), type, begin);
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

// An operand of an operator, read.
typedef struct Side {
  Operand operand;
  CType type;
} Side;

// By a constant. To the right: rounded down, as a sign that is shifted in does.
static bool shift(CParser *c, const BinaryOperator *binary, Span span, Side left, Side right,
                  Side *result) {
  bool is_left =
      binary->token == C_TOKEN_SHIFT_LEFT; // `<<=`, too: it is the same entry of the table
  CType type = c_promote(left.type);
  if (right.operand.kind != OPERAND_CONSTANT || right.operand.constant < 0 ||
      right.operand.constant > 62)
    return litmus_error(c->litmus, span, "expected a constant from 0 to 62 behind '%s'",
                        is_left ? "<<" : ">>");
  int64_t factor = (int64_t)1 << right.operand.constant;
  Operand value = left.operand;
  if (!is_left && !type.is_signed && type.size == 8)
    return litmus_error(c->litmus, span, "'>>' of unsigned 64-bit values is not supported");
  if (is_left) {
    value = reduce(c, c_emit_compute(c, IR_MUL, value, c_constant(factor)), type);
  } else {
    Operand rest = c_emit_compute(c, IR_AND, value, c_constant(factor - 1));
    value = c_emit_compute(c, IR_SUB, value, rest);
    value = c_emit_compute(c, IR_DIV, value, c_constant(factor));
  }
  *result = (Side){value, type};
  return true;
}

static Operand remainder_of(CParser *c, Operand left, Operand right) {
  Operand quotient = c_emit_compute(c, IR_DIV, left, right);
  Operand multiple = c_emit_compute(c, IR_MUL, quotient, right);
  return c_emit_compute(c, IR_SUB, left, multiple);
}

// Of unsigned 64-bit values: the order of the signed ones once the highest bit is turned.
static Operand compare(CParser *c, IrOp op, Operand left, Operand right, CType type) {
  if (op >= IR_SET_LT && type.size == 8 && !type.is_signed) {
    left = c_emit_compute(c, IR_XOR, left, c_constant(INT64_MIN));
    right = c_emit_compute(c, IR_XOR, right, c_constant(INT64_MIN));
  }
  return c_emit_compute(c, op, left, right);
}

static bool compute(CParser *c, const BinaryOperator *binary, Span span, Side left, Side right,
                    Side *result) {
  bool divides = binary->token == C_TOKEN_SLASH || binary->token == C_TOKEN_PERCENT;
  if (divides && right.operand.kind == OPERAND_CONSTANT && right.operand.constant == 0)
    return litmus_error(c->litmus, span, "division by zero");
  if (binary->op == IR_NOP && !divides)
    return shift(c, binary, span, left, right, result);
  CType type = c_common_type(left.type, right.type);
  if (divides && type.size == 8 && !type.is_signed)
    return litmus_error(c->litmus, span, "division of unsigned 64-bit values is not supported");
  Operand a = c_convert(c, left.operand, left.type, type);
  Operand b = c_convert(c, right.operand, right.type, type);
  if (binary->op >= IR_SET_EQ)
    *result = (Side){compare(c, binary->op, a, b, type), c_int};
  else if (binary->op == IR_NOP)
    *result = (Side){remainder_of(c, a, b), type};
  else
    *result = (Side){reduce(c, c_emit_compute(c, binary->op, a, b), type), type};
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
    *value = number(c_emit_compute(c, binary->op, c_register(result), right), c_int, value->begin);
    return true;
  }
  c_emit_move(c, result, right);
  c_make_branch(c, gap, is_and ? IR_SET_EQ : IR_SET_NE, c_register(result), c_emit_label(c));
  *value = number(c_register(result), c_int, value->begin);
  return true;
}

// `a + address`, `address + b`, `address - b`.
static bool add_to_address(CParser *c, CValue *address, Operand index, bool is_taken_away) {
  if (is_taken_away)
    index = c_emit_compute(c, IR_SUB, c_constant(0), index);
  return c_add_index(c, address, index);
}

// The right operand and what follows from both; `left` is a number or an address.
static bool parse_right(CParser *c, const BinaryOperator *binary, CValue *left) {
  CValue right;
  Side a = {0}, b, result;
  bool is_sum = binary->token == C_TOKEN_PLUS || binary->token == C_TOKEN_MINUS;
  bool is_address = is_sum && left->kind == C_ADDRESS;
  uint32_t begin = left->begin;
  if (!is_address && !c_read(c, left, &a.operand))
    return false;
  a.type = type_of(left);
  if (binary->precedence <= 2) {
    bool is_good = parse_logical(c, binary, a.operand, left);
    left->begin = begin;
    return is_good;
  }
  if (!parse_binary(c, binary->precedence + 1, &right))
    return false;
  if (is_sum && !is_address && right.kind == C_ADDRESS && binary->token == C_TOKEN_PLUS) {
    *left = right;
    left->begin = begin;
    return c_add_index(c, left, a.operand);
  }
  if (!c_read(c, &right, &b.operand))
    return false;
  if (is_address)
    return add_to_address(c, left, b.operand, binary->token == C_TOKEN_MINUS);
  b.type = type_of(&right);
  if (!compute(c, binary, c_span_from(c, begin), a, b, &result))
    return false;
  *left = number(result.operand, result.type, begin);
  return true;
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

// Both ways end in `result`. Which type it has is known when the second one is; a value of the
// first one that does not fit it is then converted there.
typedef struct Choice {
  Operand condition, yes, no;
  CType yes_type, type;
  uint32_t result;
  uint32_t gap, end, other; // labels: before the first way, behind it, before the second one
} Choice;

static bool parse_first_way(CParser *c, Choice *choice, bool *is_pure, uint32_t *copy) {
  choice->gap = c_emit_label(c);
  if (!parse_read(c, &choice->yes, &choice->yes_type) || !c_expect(c, C_TOKEN_COLON))
    return false;
  choice->result = c_new_temporary(c);
  *copy = c_here(c);
  *is_pure = c_is_pure_from(c, choice->gap);
  return true;
}

static void emit_choice(CParser *c, const Choice *choice) {
  c_emit_move(c, choice->result, choice->no);
  c_make_branch(c, choice->gap, IR_SET_EQ, choice->condition, choice->other);
  c_make_branch(c, choice->end, IR_NOP, (Operand){0}, c_emit_label(c));
}

// Behind '?'.
static bool parse_choice(CParser *c, CValue *value) {
  Choice choice;
  CType no_type;
  bool is_pure;
  uint32_t begin = value->begin, copy;
  if (!c_read(c, value, &choice.condition) || !parse_first_way(c, &choice, &is_pure, &copy))
    return false;
  Instruction move = litmus_new_instruction(IR_MOVE, c_span_from(c, begin));
  move.dst = choice.result;
  move.src[0] = choice.yes;
  c_emit(c, move);
  choice.end = c_emit_label(c); // becomes the jump over the other way
  choice.other = c_emit_label(c);
  if (!parse_read(c, &choice.no, &no_type))
    return false;
  choice.type = c_common_type(choice.yes_type, no_type);
  choice.no = c_convert(c, choice.no, no_type, choice.type);
  if (is_pure && c_is_pure_from(c, copy)) {
    Operand yes = c_convert(c, choice.yes, choice.yes_type, choice.type);
    *value = number(select_value(c, choice.condition, yes, choice.no), choice.type, begin);
    return true;
  }
  emit_choice(c, &choice);
  // Converting twice changes nothing.
  Operand chosen = c_convert(c, c_register(choice.result), choice.yes_type, choice.type);
  *value = number(chosen, choice.type, begin);
  return true;
}

// Behind the binary; NULL: `=`.
static bool parse_assigned(CParser *c, const BinaryOperator *binary, CValue *place) {
  Side old = {.type = place->type}, fresh;
  if (binary && !c_read(c, place, &old.operand))
    return false;
  if (!parse_read(c, &fresh.operand, &fresh.type))
    return false;
  if (binary && !compute(c, binary, c_span_from(c, place->begin), old, fresh, &fresh))
    return false;
  CType type = place->type;
  if (place->kind == C_VARIABLE || place->kind == C_MEMORY)
    fresh.operand = c_convert(c, fresh.operand, fresh.type, type);
  bool is_good = c_assign(c, place, fresh.operand, type);
  *place = number(place->kind == C_VARIABLE ? place->operand : fresh.operand, type, place->begin);
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
