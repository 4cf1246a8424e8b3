// Tokens of C, in the threads of the C dialect. Around them a test has the tokens of lexer.c.
#include "litmus/c_parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const punctuation[] = {
#define C_PUNCTUATION(identifier, text) text,
#include "litmus/c_tokens.def"
#undef C_PUNCTUATION
};

enum { PUNCTUATION_COUNT = sizeof punctuation / sizeof *punctuation };

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The character at `offset`, zero at the end of the text.
static char char_at(const CParser *c, uint32_t offset) {
  return offset < c->litmus->source->length ? c->litmus->source->text[offset] : 0;
}

static bool has_prefix(const CParser *c, uint32_t offset, const char *prefix) {
  size_t length = strlen(prefix);
  const Source *source = c->litmus->source;
  return source->length - offset >= length && memcmp(source->text + offset, prefix, length) == 0;
}

static uint32_t skip_line(const CParser *c, uint32_t offset) {
  while (offset < c->litmus->source->length && char_at(c, offset) != '\n')
    offset++;
  return offset;
}

static uint32_t skip_comment(CParser *c, uint32_t begin) {
  for (uint32_t offset = begin + 2; offset < c->litmus->source->length; offset++)
    if (has_prefix(c, offset, "*/"))
      return offset + 2;
  litmus_error(c->litmus, (Span){c->litmus->source, begin, begin + 2},
               "comment is not closed: expected '*/'");
  return c->litmus->source->length;
}

static uint32_t skip_space(CParser *c, uint32_t offset) {
  while (offset < c->litmus->source->length) {
    if (is_space(char_at(c, offset)))
      offset++;
    else if (has_prefix(c, offset, "//"))
      offset = skip_line(c, offset);
    else if (has_prefix(c, offset, "/*"))
      offset = skip_comment(c, offset);
    else
      break;
  }
  return offset;
}

// `42`, `0x2a`, `052`, with a suffix of u and l.
static void scan_number(CParser *c, CToken *token) {
  const char *text = c->litmus->source->text + token->begin;
  while (is_word_char(char_at(c, token->end)))
    token->end++;
  char *stop;
  errno = 0;
  // The text ends with a zero byte, so that strtoll stops.
  token->number = (int64_t)strtoull(text, &stop, 0);
  for (; *stop && strchr("uUlL", *stop); stop++) {
    token->is_unsigned |= *stop == 'u' || *stop == 'U';
    token->is_long |= *stop == 'l' || *stop == 'L';
  }
  uint64_t bits = (uint64_t)token->number;
  token->is_long |= bits > (token->is_unsigned || text[0] == '0' ? UINT32_MAX : INT32_MAX);
  // Only what is not decimal becomes unsigned because it is large.
  token->is_unsigned |= text[0] == '0' && bits > (token->is_long ? INT64_MAX : INT32_MAX);
  if (!token->is_unsigned && bits > INT64_MAX)
    errno = ERANGE;
  int shown = token->end - token->begin > 40 ? 40 : (int)(token->end - token->begin);
  Span span = {c->litmus->source, token->begin, token->end};
  if (stop != c->litmus->source->text + token->end)
    litmus_error(c->litmus, span, "expected an integer, found '%.*s'", shown, text);
  else if (errno == ERANGE)
    litmus_error(c->litmus, span, "number '%.*s' does not fit in 64 bits", shown, text);
}

static void scan_punctuation(const CParser *c, CToken *token) {
  token->kind = C_TOKEN_BAD;
  token->end = token->begin + 1;
  for (uint32_t i = 0; i < PUNCTUATION_COUNT; i++) {
    if (has_prefix(c, token->begin, punctuation[i])) {
      token->kind = (CTokenKind)(C_TOKEN_BAD + 1 + i);
      token->end = token->begin + (uint32_t)strlen(punctuation[i]);
      return;
    }
  }
}

void c_next_token(CParser *c) {
  c->previous_end = c->token.end;
  uint32_t begin = skip_space(c, c->next);
  CToken token = {.begin = begin, .end = begin};
  char first = char_at(c, begin);
  if (begin >= c->litmus->source->length) {
    token.kind = C_TOKEN_END;
  } else if (is_digit(first)) {
    token.kind = C_TOKEN_NUMBER;
    scan_number(c, &token);
  } else if (is_word_char(first)) {
    token.kind = C_TOKEN_WORD;
    while (is_word_char(char_at(c, token.end)))
      token.end++;
  } else {
    scan_punctuation(c, &token);
  }
  // No more errors, no more tokens: every loop over tokens ends.
  if (c->litmus->error_count >= LITMUS_MAX_ERRORS)
    token = (CToken){.begin = c->litmus->source->length, .end = c->litmus->source->length};
  c->token = token;
  c->next = token.end;
}

void c_go_to(CParser *c, uint32_t offset) {
  c->next = offset;
  c_next_token(c);
}

bool c_take(CParser *c, CTokenKind kind) {
  if (c->token.kind != kind)
    return false;
  c_next_token(c);
  return true;
}

Span c_token_span(const CParser *c) {
  return (Span){c->litmus->source, c->token.begin, c->token.end};
}

Span c_span_from(const CParser *c, uint32_t begin) {
  return (Span){c->litmus->source, begin, c->previous_end > begin ? c->previous_end : begin};
}

bool c_expected(CParser *c, const char *what) {
  // The message shows the token as the reader around this one does.
  LitmusTokenKind kind = c->token.kind == C_TOKEN_END   ? LITMUS_TOKEN_END
                         : c->token.kind == C_TOKEN_BAD ? LITMUS_TOKEN_BAD
                                                        : LITMUS_TOKEN_WORD;
  if (c->litmus->error_count >= LITMUS_MAX_ERRORS)
    return false;
  c->litmus->token = (LitmusToken){.kind = kind, .begin = c->token.begin, .end = c->token.end};
  return litmus_expected(c->litmus, what);
}

bool c_expect(CParser *c, CTokenKind kind) {
  if (c_take(c, kind))
    return true;
  return c_expected(c, arena_format(c->litmus->arena, "'%s'", punctuation[kind - C_TOKEN_BAD - 1]));
}

bool c_at_word(const CParser *c, const char *word) {
  size_t length = strlen(word);
  return c->token.kind == C_TOKEN_WORD && c->token.end - c->token.begin == length &&
         memcmp(c->litmus->source->text + c->token.begin, word, length) == 0;
}

bool c_take_word(CParser *c, const char *word) {
  if (!c_at_word(c, word))
    return false;
  c_next_token(c);
  return true;
}

const char *c_copy_word(const CParser *c) {
  return arena_copy_text(c->litmus->arena, c->litmus->source->text + c->token.begin,
                         c->token.end - c->token.begin);
}

bool c_nest(CParser *c) {
  if (++c->nesting <= LITMUS_MAX_NESTING)
    return true;
  return litmus_error(c->litmus, c_token_span(c), "nested too deeply: expected at most %d levels",
                      LITMUS_MAX_NESTING);
}
