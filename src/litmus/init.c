// The block of initial values: `{ x=0; z=x; a @ generic aliases x; P0:r0=x; }`
#include "litmus/parser.h"

static bool at_type(const LitmusParser *parser) {
  static const char *const types[] = {"int",      "long",     "char",    "short",   "int8_t",
                                      "int16_t",  "int32_t",  "int64_t", "uint8_t", "uint16_t",
                                      "uint32_t", "uint64_t", "unsigned"};
  for (uint32_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (litmus_at_word(parser, types[i]))
      return litmus_peek_token(parser) == LITMUS_TOKEN_WORD;
  return false;
}

// A constant, or the address of a location (`x` or `&x`).
static bool parse_register_value(LitmusParser *parser, int64_t *value) {
  uint32_t object;
  litmus_take_token(parser, LITMUS_TOKEN_AMPERSAND);
  if (parser->token.kind != LITMUS_TOKEN_WORD)
    return litmus_parse_constant(parser, value);
  if (!litmus_parse_location(parser, &object))
    return false;
  *value = litmus_object_address(object);
  return true;
}

static bool parse_register_entry(LitmusParser *parser) {
  uint32_t thread, index;
  int64_t value;
  if (!litmus_parse_thread_register(parser, &thread, &index) ||
      !litmus_expect_token(parser, LITMUS_TOKEN_ASSIGN) || !parse_register_value(parser, &value))
    return false;
  parser->threads.items[thread].registers.items[index].initial = value;
  return true;
}

static bool declare(LitmusParser *parser, uint32_t object, Span span) {
  LitmusObject *declared = &parser->objects.items[object];
  if (declared->is_declared) {
    litmus_error(parser, span, "location '%s' is declared twice", declared->name);
    return false;
  }
  declared->is_declared = true;
  declared->span = span;
  return true;
}

// Behind `x =`: a constant, or a location whose initial value is taken.
static bool parse_location_value(LitmusParser *parser, uint32_t object) {
  int64_t value;
  uint32_t other;
  litmus_take_token(parser, LITMUS_TOKEN_AMPERSAND);
  if (parser->token.kind == LITMUS_TOKEN_WORD) {
    if (!litmus_parse_location(parser, &other))
      return false;
    parser->objects.items[object].value_of = other;
    return true;
  }
  if (!litmus_parse_constant(parser, &value))
    return false;
  parser->objects.items[object].initial = value;
  return true;
}

static bool parse_proxy(LitmusParser *parser, Proxy *proxy) {
  static const struct {
    const char *name;
    Proxy proxy;
  } proxies[] = {{"generic", PROXY_GENERIC},
                 {"texture", PROXY_TEXTURE},
                 {"surface", PROXY_SURFACE},
                 {"constant", PROXY_CONSTANT},
                 {"async", PROXY_ASYNC}};
  for (uint32_t i = 0; i < sizeof proxies / sizeof proxies[0]; i++) {
    if (litmus_take_word(parser, proxies[i].name)) {
      *proxy = proxies[i].proxy;
      return true;
    }
  }
  return litmus_expected(parser, "a proxy (generic, texture, surface, constant or async)");
}

// Behind `a @`: `generic aliases x`.
static bool parse_alias(LitmusParser *parser, uint32_t object) {
  Proxy proxy = PROXY_GENERIC;
  uint32_t target;
  if (!parse_proxy(parser, &proxy))
    return false;
  if (!litmus_take_word(parser, "aliases"))
    return litmus_expected(parser, "'aliases'");
  if (!litmus_parse_location(parser, &target))
    return false;
  parser->objects.items[object].proxy = proxy;
  parser->objects.items[object].alias_of = target;
  return true;
}

static bool parse_bracketed_location(LitmusParser *parser, uint32_t *object) {
  if (!litmus_take_token(parser, LITMUS_TOKEN_BRACKET_OPEN))
    return litmus_parse_location(parser, object);
  return litmus_parse_location(parser, object) &&
         litmus_expect_token(parser, LITMUS_TOKEN_BRACKET_CLOSE);
}

static bool parse_location_entry(LitmusParser *parser) {
  uint32_t object, begin = parser->token.begin;
  if (at_type(parser))
    litmus_next_token(parser);
  if (!parse_bracketed_location(parser, &object) ||
      !declare(parser, object, litmus_span_from(parser, begin)))
    return false;
  if (litmus_take_token(parser, LITMUS_TOKEN_ASSIGN))
    return parse_location_value(parser, object);
  if (litmus_take_token(parser, LITMUS_TOKEN_AT))
    return parse_alias(parser, object);
  if (parser->token.kind == LITMUS_TOKEN_SEMICOLON ||
      parser->token.kind == LITMUS_TOKEN_BRACE_CLOSE)
    return true;
  return litmus_expected(parser, "'=' or '@' behind the location");
}

static bool parse_entry(LitmusParser *parser) {
  if (litmus_at_c_declaration(parser))
    return litmus_parse_c_declaration(parser);
  if (litmus_at_thread(parser))
    return parse_register_entry(parser);
  return parse_location_entry(parser);
}

// Does the table begin here? Then the block was not closed.
static bool at_heading(const LitmusParser *parser) {
  LitmusTokenKind next = litmus_peek_token(parser);
  return litmus_at_numbered_word(parser, 'P') &&
         (next == LITMUS_TOKEN_AT || next == LITMUS_TOKEN_BAR || next == LITMUS_TOKEN_PAREN_OPEN);
}

void litmus_parse_init(LitmusParser *parser) {
  if (!litmus_expect_token(parser, LITMUS_TOKEN_BRACE_OPEN))
    return;
  while (parser->token.kind != LITMUS_TOKEN_BRACE_CLOSE && parser->token.kind != LITMUS_TOKEN_END &&
         !at_heading(parser)) {
    if (litmus_take_token(parser, LITMUS_TOKEN_SEMICOLON))
      continue;
    bool is_good = parse_entry(parser);
    if (is_good && parser->token.kind != LITMUS_TOKEN_SEMICOLON &&
        parser->token.kind != LITMUS_TOKEN_BRACE_CLOSE)
      is_good = litmus_expected(parser, "';' or '}' behind the initial value");
    if (!is_good)
      litmus_skip_to(parser, LITMUS_TOKEN_SEMICOLON, LITMUS_TOKEN_BRACE_CLOSE);
  }
  litmus_expect_token(parser, LITMUS_TOKEN_BRACE_CLOSE);
  litmus_take_token(parser, LITMUS_TOKEN_SEMICOLON); // herd's older tests: `};`
}
