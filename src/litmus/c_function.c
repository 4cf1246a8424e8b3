// The threads of the C dialect: `P0 (atomic_int* x, int* y) { ... }`, with a placement if scopes
// matter: `P0@cta 0,gpu 0 (...)`.
#include "litmus/c_parser.h"

#include <string.h>

// --- parameters

static bool is_parameter(const CParser *c, const char *name) {
  for (uint32_t i = 0; i < c->parameters.count; i++)
    if (strcmp(c->parameters.items[i].name, name) == 0)
      return true;
  return false;
}

// `*` and qualifiers behind it.
static bool parse_star(CParser *c) {
  if (!c_take(c, C_TOKEN_STAR))
    return c_expected(c, "'*': the parameters of a thread are addresses of shared memory");
  if (c->token.kind == C_TOKEN_STAR)
    return litmus_error(c->litmus, c_token_span(c), "pointers to pointers are not supported");
  while (c_take_word(c, "const") || c_take_word(c, "restrict") || c_take_word(c, "volatile"))
    continue;
  return true;
}

static bool parse_parameter(CParser *c) {
  CType type;
  CParameter parameter = {0};
  if (!c_parse_type(c, &type) || !parse_star(c))
    return false;
  Span span = c_token_span(c);
  if (c->token.kind != C_TOKEN_WORD)
    return c_expected(c, "the name of a parameter");
  parameter.name = c_copy_word(c);
  parameter.type = type;
  if (is_parameter(c, parameter.name))
    return litmus_error(c->litmus, span, "parameter '%s' is named twice", parameter.name);
  if (!litmus_get_object(c->litmus, parameter.name, span, &parameter.object))
    return false;
  array_push(c->litmus->arena, &c->parameters, parameter);
  c_next_token(c);
  return true;
}

static bool parse_parameters(CParser *c) {
  if (!c_expect(c, C_TOKEN_PAREN_OPEN))
    return false;
  c_take_word(c, "void");
  if (c_take(c, C_TOKEN_PAREN_CLOSE))
    return true;
  do {
    if (!parse_parameter(c))
      return false;
  } while (c_take(c, C_TOKEN_COMMA));
  return c_expect(c, C_TOKEN_PAREN_CLOSE);
}

// --- functions

// Over the body of a function whose heading is wrong.
static void skip_function(CParser *c) {
  uint32_t depth = 0;
  while (c->token.kind != C_TOKEN_END) {
    bool is_open = c->token.kind == C_TOKEN_BRACE_OPEN;
    bool is_close = c->token.kind == C_TOKEN_BRACE_CLOSE;
    depth += is_open;
    c_next_token(c);
    if (is_close && depth-- <= 1)
      return;
  }
}

// At the parenthesis. The tokens in the function are those of C.
static void parse_function(LitmusParser *parser, uint32_t thread) {
  CParser c = {.litmus = parser, .thread = thread};
  c_go_to(&c, parser->token.begin);
  if (parse_parameters(&c))
    c_parse_body(&c);
  else
    skip_function(&c);
  if (parser->error_count >= LITMUS_MAX_ERRORS)
    return; // nothing is read any more
  parser->next = c.token.begin;
  parser->token.end = c.previous_end;
  litmus_next_token(parser);
}

static bool parse_heading(LitmusParser *parser, uint32_t *thread) {
  Span span = litmus_token_span(parser);
  uint32_t expected = parser->column_count;
  if (!litmus_parse_thread(parser, thread))
    return false;
  if (*thread != expected)
    return litmus_error(parser, span, "expected thread 'P%u', found 'P%u'", expected, *thread);
  LitmusThread *owner = &parser->threads.items[*thread];
  owner->span = span;
  owner->has_column = true;
  owner->place = (Placement){.cta = *thread, .cluster = *thread};
  parser->column_count++;
  bool is_placed = parser->token.kind == LITMUS_TOKEN_AT;
  parser->is_placed = parser->is_placed || is_placed;
  if (is_placed && !litmus_parse_placement(parser, *thread))
    return false;
  owner = &parser->threads.items[*thread]; // `after` may have made others
  owner->has_cluster = owner->has_cluster || !is_placed;
  if (parser->token.kind != LITMUS_TOKEN_PAREN_OPEN)
    return litmus_expected(parser, "'(' and the parameters of the thread");
  return true;
}

static bool at_function(const LitmusParser *parser) {
  return litmus_at_numbered_word(parser, 'P') || litmus_at_word(parser, "void");
}

static void check_mentions(LitmusParser *parser) {
  for (uint32_t i = parser->column_count; i < parser->threads.count; i++)
    if (parser->threads.items[i].span.end != 0)
      litmus_error(parser, parser->threads.items[i].span, "thread P%u is not defined", i);
}

void litmus_parse_functions(LitmusParser *parser) {
  uint32_t thread;
  if (parser->token.kind == LITMUS_TOKEN_END && parser->error_count > 0)
    return; // reported before
  do {
    litmus_take_word(parser, "void");
    if (!parse_heading(parser, &thread)) {
      // What follows may be anything.
      litmus_skip_to(parser, LITMUS_TOKEN_END, LITMUS_TOKEN_END);
      return;
    }
    parse_function(parser, thread);
  } while (at_function(parser));
  check_mentions(parser);
  litmus_place_threads(parser);
}
