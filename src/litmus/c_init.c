// Typed initial values of the C dialect: `atomic_int x = 1;`, `int y[2] = {0, 1};`.
#include "litmus/c_parser.h"

// `[-] NUMBER`
static bool parse_value(CParser *c, int64_t *value) {
  bool is_negative = c_take(c, C_TOKEN_MINUS);
  if (c->token.kind != C_TOKEN_NUMBER)
    return c_expected(c, "a number");
  *value = is_negative ? -c->token.number : c->token.number;
  c_next_token(c);
  return true;
}

static bool declare(CParser *c, const char *name, Span span, int64_t value, CType type,
                    uint32_t *object) {
  if (!litmus_get_object(c->litmus, name, span, object))
    return false;
  LitmusObject *declared = &c->litmus->objects.items[*object];
  if (declared->is_declared)
    return litmus_error(c->litmus, span, "location '%s' is declared twice", name);
  declared->is_declared = true;
  declared->span = span;
  declared->initial = c_convert(c, c_constant(value), (CType){.size = 8}, type).constant;
  return true;
}

// Behind '[': the number of elements.
static bool parse_size(CParser *c, uint32_t *count) {
  Span span = c_token_span(c);
  int64_t size = 0;
  if (!parse_value(c, &size) || !c_expect(c, C_TOKEN_BRACKET_CLOSE))
    return false;
  if (size < 1 || size > LITMUS_MAX_ELEMENTS)
    return litmus_error(c->litmus, span, "expected 1 to %d elements, found %lld",
                        LITMUS_MAX_ELEMENTS, (long long)size);
  *count = (uint32_t)size;
  return true;
}

// The elements that the braces leave out are 0.
static bool parse_elements(CParser *c, const char *name, Span span, uint32_t count, CType type) {
  bool has_values = c_take(c, C_TOKEN_ASSIGN);
  if (has_values && !c_expect(c, C_TOKEN_BRACE_OPEN))
    return false;
  c->depth = has_values;
  for (uint32_t i = 0; i < count; i++) {
    int64_t value = 0;
    uint32_t object;
    if (has_values && c->token.kind != C_TOKEN_BRACE_CLOSE) {
      if (!parse_value(c, &value))
        return false;
      if (c->token.kind != C_TOKEN_BRACE_CLOSE && !c_expect(c, C_TOKEN_COMMA))
        return false;
    }
    const char *text = i ? arena_format(c->litmus->arena, "%s[%u]", name, i) : name;
    if (!declare(c, text, span, value, type, &object))
      return false;
    if (i == 0)
      c->litmus->objects.items[object].element_count = count;
  }
  if (has_values && c->token.kind == C_TOKEN_NUMBER)
    return litmus_error(c->litmus, c_token_span(c), "expected %u values, found more", count);
  c->depth = 0;
  return !has_values || c_expect(c, C_TOKEN_BRACE_CLOSE);
}

// To the end of a declaration that is wrong.
static void skip_declaration(CParser *c) {
  while (c->token.kind != C_TOKEN_END && c->token.kind != C_TOKEN_SEMICOLON &&
         !(c->token.kind == C_TOKEN_BRACE_CLOSE && c->depth == 0)) {
    if (c->token.kind == C_TOKEN_BRACE_CLOSE)
      c->depth = 0;
    c_next_token(c);
  }
}

static bool parse_declarator(CParser *c, CType type) {
  uint32_t object, count = 0;
  int64_t value = 0;
  if (c->token.kind == C_TOKEN_STAR)
    return litmus_error(c->litmus, c_token_span(c),
                        "pointers in shared memory are not supported: expected a name");
  if (c->token.kind != C_TOKEN_WORD)
    return c_expected(c, "the name of a location");
  const char *name = c_copy_word(c);
  Span span = c_token_span(c);
  c_next_token(c);
  if (c_take(c, C_TOKEN_BRACKET_OPEN))
    return parse_size(c, &count) && parse_elements(c, name, span, count, type);
  if (c_take(c, C_TOKEN_ASSIGN) && !parse_value(c, &value))
    return false;
  return declare(c, name, span, value, type, &object);
}

bool litmus_at_c_declaration(const LitmusParser *parser) {
  return parser->dialect == LITMUS_C && parser->token.kind == LITMUS_TOKEN_WORD &&
         c_is_type_word(parser->source->text + parser->token.begin,
                        parser->token.end - parser->token.begin);
}

bool litmus_parse_c_declaration(LitmusParser *parser) {
  CParser c = {.litmus = parser};
  CType type;
  c_go_to(&c, parser->token.begin);
  bool is_good = c_parse_type(&c, &type);
  do
    is_good = is_good && parse_declarator(&c, type);
  while (is_good && c_take(&c, C_TOKEN_COMMA));
  if (!is_good)
    skip_declaration(&c);
  if (parser->error_count >= LITMUS_MAX_ERRORS)
    return false;
  parser->next = c.token.begin;
  parser->token.end = c.previous_end;
  litmus_next_token(parser);
  return is_good;
}
