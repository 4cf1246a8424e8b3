// Reading token by token: taking, expecting, skipping, and saying what is wrong.
#include "litmus/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// No more errors, no more tokens: every loop over tokens ends.
static void give_up(LitmusParser *parser) {
  uint32_t length = parser->source->length;
  parser->next = length;
  parser->token = (LitmusToken){.begin = length, .end = length};
}

bool litmus_error(LitmusParser *parser, Span span, const char *format, ...) {
  char message[512];
  va_list arguments;
  if (parser->error_count >= LITMUS_MAX_ERRORS)
    return false;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  diag_syntax(parser->diags, span, "%s", message);
  if (++parser->error_count == LITMUS_MAX_ERRORS) {
    diag_syntax(parser->diags, span, "too many errors: the rest of the test is not read");
    give_up(parser);
  }
  return false;
}

const char *litmus_token_text(const LitmusParser *parser) {
  enum { SHOWN = 40 };
  const LitmusToken *token = &parser->token;
  if (token->kind == LITMUS_TOKEN_END)
    return "the end of the file";
  uint32_t length = token->end - token->begin;
  const char *text = parser->source->text + token->begin;
  unsigned char first = (unsigned char)text[0];
  if (token->kind == LITMUS_TOKEN_BAD && (first < ' ' || first >= 0x7f))
    return arena_format(parser->arena, "byte 0x%02x", first);
  if (length > SHOWN)
    return arena_format(parser->arena, "'%.*s...'", SHOWN, text);
  return arena_format(parser->arena, "'%.*s'", (int)length, text);
}

bool litmus_expected(LitmusParser *parser, const char *what) {
  if (parser->error_count >= LITMUS_MAX_ERRORS)
    return false;
  return litmus_error(parser, litmus_token_span(parser), "expected %s, found %s", what,
                      litmus_token_text(parser));
}

Span litmus_token_span(const LitmusParser *parser) {
  return (Span){parser->source, parser->token.begin, parser->token.end};
}

Span litmus_span_from(const LitmusParser *parser, uint32_t begin) {
  uint32_t end = parser->previous_end;
  return (Span){parser->source, begin, end > begin ? end : begin};
}

bool litmus_take_token(LitmusParser *parser, LitmusTokenKind kind) {
  if (parser->token.kind != kind)
    return false;
  litmus_next_token(parser);
  return true;
}

bool litmus_expect_token(LitmusParser *parser, LitmusTokenKind kind) {
  if (litmus_take_token(parser, kind))
    return true;
  return litmus_expected(parser, arena_format(parser->arena, "'%s'", litmus_token_spelling(kind)));
}

bool litmus_at_word(const LitmusParser *parser, const char *word) {
  const LitmusToken *token = &parser->token;
  size_t length = strlen(word);
  return token->kind == LITMUS_TOKEN_WORD && token->end - token->begin == length &&
         memcmp(parser->source->text + token->begin, word, length) == 0;
}

bool litmus_take_word(LitmusParser *parser, const char *word) {
  if (!litmus_at_word(parser, word))
    return false;
  litmus_next_token(parser);
  return true;
}

const char *litmus_copy_word(const LitmusParser *parser) {
  const LitmusToken *token = &parser->token;
  return arena_copy_text(parser->arena, parser->source->text + token->begin,
                         token->end - token->begin);
}

void litmus_skip_to(LitmusParser *parser, LitmusTokenKind first, LitmusTokenKind second) {
  while (parser->token.kind != LITMUS_TOKEN_END && parser->token.kind != first &&
         parser->token.kind != second)
    litmus_next_token(parser);
}

bool litmus_parse_constant(LitmusParser *parser, int64_t *value) {
  bool is_negative = litmus_take_token(parser, LITMUS_TOKEN_MINUS);
  if (parser->token.kind != LITMUS_TOKEN_NUMBER)
    return litmus_expected(parser, "a number");
  *value = is_negative ? -parser->token.number : parser->token.number;
  litmus_next_token(parser);
  return true;
}

bool litmus_parse_index(LitmusParser *parser, const char *what, uint32_t *value) {
  const LitmusToken *token = &parser->token;
  if (token->kind != LITMUS_TOKEN_NUMBER)
    return litmus_expected(parser, what);
  if (token->number >= UINT32_MAX)
    return litmus_error(parser, litmus_token_span(parser), "expected %s below %u, found %s", what,
                        UINT32_MAX, litmus_token_text(parser));
  *value = (uint32_t)token->number;
  litmus_next_token(parser);
  return true;
}
