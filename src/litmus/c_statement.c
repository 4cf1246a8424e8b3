// Statements of C: declarations, control flow and expressions.
#include "litmus/c_parser.h"

#include <string.h>

// --- declarations

// A block that was left may have declared the name, too; it is the same register.
static bool declare(CParser *c, const char *name, Span span, CType type, uint32_t *index) {
  CVariable *variable = c_find_variable(c, name);
  if (variable && variable->is_visible)
    return litmus_error(c->litmus, span, "variable '%s' is declared already", name);
  for (uint32_t i = 0; i < c->parameters.count; i++)
    if (strcmp(c->parameters.items[i].name, name) == 0)
      return litmus_error(c->litmus, span, "'%s' is a parameter already", name);
  if (!variable) {
    CVariable fresh = {.name = name,
                       .index = litmus_get_register(c->litmus, c->thread, name, span)};
    array_push(c->litmus->arena, &c->variables, fresh);
    variable = &c->variables.items[c->variables.count - 1];
  }
  variable->depth = c->depth;
  variable->type = type;
  variable->is_visible = true;
  *index = variable->index;
  return true;
}

static bool parse_declarator(CParser *c, CType type) {
  uint32_t index;
  Operand value;
  if (c->token.kind == C_TOKEN_STAR)
    return litmus_error(c->litmus, c_token_span(c),
                        "pointer variables are not supported: use the parameters");
  if (c->token.kind != C_TOKEN_WORD)
    return c_expected(c, "the name of a variable");
  const char *name = c_copy_word(c);
  Span span = c_token_span(c);
  c_next_token(c);
  if (c->token.kind == C_TOKEN_BRACKET_OPEN)
    return litmus_error(c->litmus, c_token_span(c), "arrays of a thread are not supported");
  if (c->token.kind != C_TOKEN_ASSIGN)
    return declare(c, name, span, type, &index);
  c_next_token(c);
  if (!c_parse_converted(c, type, &value) || !declare(c, name, span, type, &index))
    return false;
  c_emit_move(c, index, value);
  return true;
}

static bool parse_declaration(CParser *c) {
  CType type;
  if (!c_parse_type(c, &type))
    return false;
  do {
    if (!parse_declarator(c, type))
      return false;
  } while (c_take(c, C_TOKEN_COMMA));
  return c_expect(c, C_TOKEN_SEMICOLON);
}

static void leave_block(CParser *c) {
  for (uint32_t i = 0; i < c->variables.count; i++)
    if (c->variables.items[i].depth >= c->depth)
      c->variables.items[i].is_visible = false;
  c->depth--;
}

// --- control flow

// `( expression )`; the branch is taken if it is not (or is) zero.
static bool parse_condition(CParser *c, IrOp compare, uint32_t *branch) {
  Operand value;
  if (!c_expect(c, C_TOKEN_PAREN_OPEN) || !c_parse_number(c, &value) ||
      !c_expect(c, C_TOKEN_PAREN_CLOSE))
    return false;
  *branch = c_emit_branch(c, compare, value, c_constant(0));
  return true;
}

static uint32_t emit_jump(CParser *c, uint32_t target) {
  uint32_t jump = c_emit_branch(c, IR_NOP, (Operand){0}, (Operand){0});
  c_set_target(c, jump, target);
  return jump;
}

static bool parse_if(CParser *c) {
  uint32_t to_else;
  if (!parse_condition(c, IR_SET_EQ, &to_else) || !c_parse_statement(c))
    return false;
  if (!c_take_word(c, "else")) {
    c_set_target(c, to_else, c_emit_label(c));
    return true;
  }
  uint32_t to_end = emit_jump(c, 0);
  c_set_target(c, to_else, c_emit_label(c));
  bool is_good = c_parse_statement(c);
  c_set_target(c, to_end, c_emit_label(c));
  return is_good;
}

static void set_targets(CParser *c, const CJumps *jumps, uint32_t target) {
  for (uint32_t i = 0; i < jumps->count; i++)
    c_set_target(c, jumps->items[i], target);
}

// The statement that a loop repeats.
static bool parse_loop_body(CParser *c, CLoop *loop) {
  *loop = (CLoop){.outer = c->loop};
  c->loop = loop;
  bool is_good = c_parse_statement(c);
  c->loop = loop->outer;
  return is_good;
}

static bool parse_while(CParser *c) {
  CLoop loop;
  uint32_t head = c_emit_label(c), to_end;
  if (!parse_condition(c, IR_SET_EQ, &to_end) || !parse_loop_body(c, &loop))
    return false;
  emit_jump(c, head);
  uint32_t end = c_emit_label(c);
  c_set_target(c, to_end, end);
  set_targets(c, &loop.breaks, end);
  set_targets(c, &loop.continues, head);
  return true;
}

static bool parse_do(CParser *c) {
  CLoop loop;
  uint32_t head = c_emit_label(c), to_head;
  if (!parse_loop_body(c, &loop))
    return false;
  set_targets(c, &loop.continues, c_emit_label(c));
  if (!c_take_word(c, "while"))
    return c_expected(c, "'while' behind the statement of 'do'");
  if (!parse_condition(c, IR_SET_NE, &to_head))
    return false;
  c_set_target(c, to_head, head);
  set_targets(c, &loop.breaks, c_emit_label(c));
  return c_expect(c, C_TOKEN_SEMICOLON);
}

// The expression behind the second ';' of `for` is read when the body has been.
static bool skip_step(CParser *c, uint32_t *begin) {
  *begin = c->token.begin;
  for (uint32_t depth = 0; depth > 0 || c->token.kind != C_TOKEN_PAREN_CLOSE; c_next_token(c)) {
    if (c->token.kind == C_TOKEN_END || c->token.kind == C_TOKEN_BRACE_CLOSE ||
        c->token.kind == C_TOKEN_BRACE_OPEN || c->token.kind == C_TOKEN_SEMICOLON)
      return c_expected(c, "')'");
    if (c->token.kind == C_TOKEN_PAREN_OPEN)
      depth++;
    else if (c->token.kind == C_TOKEN_PAREN_CLOSE)
      depth--;
  }
  return c_expect(c, C_TOKEN_PAREN_CLOSE);
}

static bool parse_step(CParser *c, uint32_t begin) {
  uint32_t behind = c->token.begin;
  CValue ignored;
  c_go_to(c, begin);
  if (c->token.kind != C_TOKEN_PAREN_CLOSE &&
      (!c_parse_expression(c, &ignored) ||
       (c->token.kind != C_TOKEN_PAREN_CLOSE && !c_expect(c, C_TOKEN_PAREN_CLOSE))))
    return false;
  c_go_to(c, behind);
  return true;
}

static bool parse_for_begin(CParser *c) {
  CValue ignored;
  if (c_at_type(c))
    return parse_declaration(c);
  return c_take(c, C_TOKEN_SEMICOLON) ||
         (c_parse_expression(c, &ignored) && c_expect(c, C_TOKEN_SEMICOLON));
}

static bool parse_for_loop(CParser *c) {
  CLoop loop;
  Operand value = c_constant(1);
  uint32_t step;
  if (!c_expect(c, C_TOKEN_PAREN_OPEN) || !parse_for_begin(c))
    return false;
  uint32_t head = c_emit_label(c);
  if (c->token.kind != C_TOKEN_SEMICOLON && !c_parse_number(c, &value))
    return false;
  uint32_t to_end = c_emit_branch(c, IR_SET_EQ, value, c_constant(0));
  if (!c_expect(c, C_TOKEN_SEMICOLON) || !skip_step(c, &step) || !parse_loop_body(c, &loop))
    return false;
  set_targets(c, &loop.continues, c_emit_label(c));
  if (!parse_step(c, step))
    return false;
  emit_jump(c, head);
  uint32_t end = c_emit_label(c);
  c_set_target(c, to_end, end);
  set_targets(c, &loop.breaks, end);
  return true;
}

static bool parse_for(CParser *c) {
  c->depth++;
  bool is_good = parse_for_loop(c);
  leave_block(c);
  return is_good;
}

static bool parse_leave(CParser *c, const char *word, bool is_break, Span span) {
  CLoop *loop = c->loop;
  while (loop && loop->is_switch && !is_break)
    loop = loop->outer;
  if (!loop)
    return litmus_error(c->litmus, span, "'%s' outside of a loop", word);
  uint32_t jump = emit_jump(c, 0);
  array_push(c->litmus->arena, is_break ? &loop->breaks : &loop->continues, jump);
  return c_expect(c, C_TOKEN_SEMICOLON);
}

static bool parse_return(CParser *c) {
  CValue ignored;
  if (c->token.kind != C_TOKEN_SEMICOLON && !c_parse_expression(c, &ignored))
    return false;
  c_emit(c, litmus_new_instruction(IR_EXIT, c_span_from(c, c->previous_end)));
  return c_expect(c, C_TOKEN_SEMICOLON);
}

// --- statements

static bool parse_block(CParser *c);

static bool parse_expression_statement(CParser *c) {
  CValue ignored;
  Operand value;
  if (!c_parse_expression(c, &ignored))
    return false;
  // `*x;` reads.
  if (ignored.kind == C_MEMORY && !c_read(c, &ignored, &value))
    return false;
  return c_expect(c, C_TOKEN_SEMICOLON);
}

// What C has and this dialect has not.
static bool refuse(CParser *c) {
  static const char *const words[] = {"asm", "typedef"};
  for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
    if (c_at_word(c, words[i]))
      return litmus_error(c->litmus, c_token_span(c), "'%s' is not supported", words[i]);
  return c_expected(c, "a statement");
}

static bool is_refused(const CParser *c) {
  return c_at_word(c, "asm") || c_at_word(c, "typedef") || c_at_word(c, "else");
}

// `done:`; in OpenCL tests also the name of a barrier.
static bool at_label(const CParser *c) {
  const Source *source = c->litmus->source;
  uint32_t next = c->next;
  while (next < source->length && (source->text[next] == ' ' || source->text[next] == '\t'))
    next++;
  return c->token.kind == C_TOKEN_WORD && next < source->length && source->text[next] == ':' &&
         !c_at_word(c, "default");
}

static bool parse_any_statement(CParser *c) {
  while (at_label(c) && !is_refused(c))
    if (!c_parse_label(c))
      return false;
  Span span = c_token_span(c);
  if (c->token.kind == C_TOKEN_BRACE_OPEN)
    return parse_block(c);
  if (c_take(c, C_TOKEN_SEMICOLON))
    return true;
  if (c_at_type(c))
    return parse_declaration(c);
  if (c_take_word(c, "if"))
    return parse_if(c);
  if (c_take_word(c, "while"))
    return parse_while(c);
  if (c_take_word(c, "do"))
    return parse_do(c);
  if (c_take_word(c, "for"))
    return parse_for(c);
  if (c_take_word(c, "break"))
    return parse_leave(c, "break", true, span);
  if (c_take_word(c, "continue"))
    return parse_leave(c, "continue", false, span);
  if (c_take_word(c, "return"))
    return parse_return(c);
  if (c_take_word(c, "goto"))
    return c_parse_goto(c);
  if (c_take_word(c, "switch"))
    return c_parse_switch(c);
  bool is_default = c_take_word(c, "default");
  if (is_default || c_take_word(c, "case"))
    return c_parse_case(c, is_default, span) &&
           (c->token.kind == C_TOKEN_BRACE_CLOSE || c_parse_statement(c));
  return is_refused(c) ? refuse(c) : parse_expression_statement(c);
}

bool c_parse_statement(CParser *c) {
  c->temporaries = 0;
  if (!c_nest(c))
    return false;
  bool is_good = parse_any_statement(c);
  c->nesting--;
  return is_good;
}

// Behind a ';', or behind a block that begins on the way, and the block of its `else`. The end of
// the block around it stays.
static void skip_statement(CParser *c) {
  uint32_t depth = 0;
  for (; c->token.kind != C_TOKEN_END; c_next_token(c)) {
    if (c->token.kind == C_TOKEN_BRACE_OPEN)
      depth++;
    bool is_end = c->token.kind == C_TOKEN_BRACE_CLOSE;
    if (is_end && depth == 0)
      return;
    if ((is_end && --depth == 0) || (depth == 0 && c->token.kind == C_TOKEN_SEMICOLON)) {
      c_next_token(c);
      if (!is_end || !c_at_word(c, "else"))
        return;
    }
  }
}

static void parse_statements(CParser *c) {
  while (c->token.kind != C_TOKEN_BRACE_CLOSE && c->token.kind != C_TOKEN_END) {
    uint32_t nesting = c->nesting, depth = c->depth;
    CLoop *loop = c->loop;
    if (c_parse_statement(c))
      continue;
    c->nesting = nesting;
    c->depth = depth;
    c->loop = loop;
    skip_statement(c);
  }
}

static bool parse_block(CParser *c) {
  if (!c_expect(c, C_TOKEN_BRACE_OPEN))
    return false;
  c->depth++;
  parse_statements(c);
  leave_block(c);
  return c_expect(c, C_TOKEN_BRACE_CLOSE);
}

void c_parse_body(CParser *c) {
  parse_block(c);
  c_finish_gotos(c);
}
