// Jumps of C that are no loops: labels and `goto`, `switch` with its cases.
#include "litmus/c_parser.h"

#include <string.h>

static CLabel *find_label(CParser *c, const char *name) {
  for (uint32_t i = 0; i < c->labels.count; i++)
    if (strcmp(c->labels.items[i].name, name) == 0)
      return &c->labels.items[i];
  return NULL;
}

// --- goto

bool c_parse_label(CParser *c) {
  CLabel label = {.name = c_copy_word(c), .span = c_token_span(c)};
  if (find_label(c, label.name))
    return litmus_error(c->litmus, label.span, "label '%s' is there already", label.name);
  label.instruction = c_emit_label(c);
  array_push(c->litmus->arena, &c->labels, label);
  c_next_token(c);
  return c_expect(c, C_TOKEN_COLON);
}

bool c_parse_goto(CParser *c) {
  CLabel jump = {.span = c_token_span(c)};
  if (c->token.kind != C_TOKEN_WORD)
    return c_expected(c, "the name of a label");
  jump.name = c_copy_word(c);
  c_next_token(c);
  jump.instruction = c_emit_branch(c, IR_NOP, (Operand){0}, (Operand){0});
  array_push(c->litmus->arena, &c->gotos, jump);
  return c_expect(c, C_TOKEN_SEMICOLON);
}

void c_finish_gotos(CParser *c) {
  for (uint32_t i = 0; i < c->gotos.count; i++) {
    const CLabel *jump = &c->gotos.items[i], *label = find_label(c, jump->name);
    if (label)
      c_set_target(c, jump->instruction, label->instruction);
    else
      litmus_error(c->litmus, jump->span, "there is no label '%s' in P%u", jump->name, c->thread);
  }
}

// --- switch

static CLoop *find_switch(CParser *c) {
  CLoop *loop = c->loop;
  while (loop && !loop->is_switch)
    loop = loop->outer;
  return loop;
}

static bool has_case(const CLoop *loop, const CCase *added) {
  for (uint32_t i = 0; i < loop->cases.count; i++) {
    const CCase *known = &loop->cases.items[i];
    if (known->is_default ? added->is_default : !added->is_default && known->value == added->value)
      return true;
  }
  return false;
}

// Behind `case` or `default`.
bool c_parse_case(CParser *c, bool is_default, Span span) {
  CLoop *loop = find_switch(c);
  CCase added = {.is_default = is_default};
  Operand value = c_constant(0);
  if (!loop)
    return litmus_error(c->litmus, span, "'%s' outside of a switch",
                        is_default ? "default" : "case");
  if (!is_default && !c_parse_converted(c, loop->type, &value))
    return false;
  if (value.kind != OPERAND_CONSTANT)
    return litmus_error(c->litmus, c_span_from(c, span.begin), "expected a constant behind 'case'");
  added.value = value.constant;
  if (has_case(loop, &added))
    return litmus_error(c->litmus, c_span_from(c, span.begin), "the switch has this case already");
  added.begin = c_emit_label(c);
  array_push(c->litmus->arena, &loop->cases, added);
  return c_expect(c, C_TOKEN_COLON);
}

// Behind the body: compares with each case in turn.
static void emit_dispatch(CParser *c, const CLoop *loop, uint32_t to_dispatch, Operand value) {
  uint32_t to_end = c_emit_branch(c, IR_NOP, (Operand){0}, (Operand){0}), otherwise = 0;
  bool has_default = false;
  c_set_target(c, to_dispatch, c_emit_label(c));
  for (uint32_t i = 0; i < loop->cases.count; i++) {
    const CCase *one = &loop->cases.items[i];
    if (one->is_default) {
      otherwise = one->begin;
      has_default = true;
      continue;
    }
    c_set_target(c, c_emit_branch(c, IR_SET_EQ, value, c_constant(one->value)), one->begin);
  }
  if (has_default)
    c_set_target(c, c_emit_branch(c, IR_NOP, (Operand){0}, (Operand){0}), otherwise);
  uint32_t end = c_emit_label(c);
  c_set_target(c, to_end, end);
  for (uint32_t i = 0; i < loop->breaks.count; i++)
    c_set_target(c, loop->breaks.items[i], end);
}

// The value that is looked at outlives the statements, which use the temporaries.
static Operand keep(CParser *c, Operand value, CType from, CType to) {
  const char *name = arena_format(c->litmus->arena, "$switch %u", c->token.begin);
  uint32_t kept = litmus_get_register(c->litmus, c->thread, name, c_token_span(c));
  c_emit_move(c, kept, c_convert(c, value, from, to));
  return c_register(kept);
}

// Behind `switch`.
bool c_parse_switch(CParser *c) {
  CLoop loop = {.outer = c->loop, .is_switch = true};
  CValue looked_at;
  Operand value;
  if (!c_expect(c, C_TOKEN_PAREN_OPEN) || !c_parse_expression(c, &looked_at) ||
      !c_read(c, &looked_at, &value) || !c_expect(c, C_TOKEN_PAREN_CLOSE))
    return false;
  loop.type = c_promote(looked_at.type);
  value = keep(c, value, looked_at.type, loop.type);
  uint32_t to_dispatch = c_emit_branch(c, IR_NOP, (Operand){0}, (Operand){0});
  c->loop = &loop;
  bool is_good = c_parse_statement(c);
  c->loop = loop.outer;
  emit_dispatch(c, &loop, to_dispatch, value);
  return is_good;
}
