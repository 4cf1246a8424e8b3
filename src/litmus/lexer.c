// Tokens of litmus tests, common to all dialects. Comments are skipped; their lines that begin
// with `expect ` are kept, they state the verdicts that the author of the test expects.
#include "litmus/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *text;
  LitmusTokenKind kind;
} punctuation[] = {
    // Longer ones first.
    {"/\\", LITMUS_TOKEN_AND},
    {"\\/", LITMUS_TOKEN_OR},
    {"==", LITMUS_TOKEN_EQ},
    {"!=", LITMUS_TOKEN_NE},
    {"<=", LITMUS_TOKEN_LE},
    {">=", LITMUS_TOKEN_GE},
    {"<<", LITMUS_TOKEN_BLOCK_OPEN},
    {">>", LITMUS_TOKEN_BLOCK_CLOSE},
    {"=", LITMUS_TOKEN_ASSIGN},
    {"<", LITMUS_TOKEN_LT},
    {">", LITMUS_TOKEN_GT},
    {"{", LITMUS_TOKEN_BRACE_OPEN},
    {"}", LITMUS_TOKEN_BRACE_CLOSE},
    {"(", LITMUS_TOKEN_PAREN_OPEN},
    {")", LITMUS_TOKEN_PAREN_CLOSE},
    {"[", LITMUS_TOKEN_BRACKET_OPEN},
    {"]", LITMUS_TOKEN_BRACKET_CLOSE},
    {";", LITMUS_TOKEN_SEMICOLON},
    {"|", LITMUS_TOKEN_BAR},
    {",", LITMUS_TOKEN_COMMA},
    {":", LITMUS_TOKEN_COLON},
    {"@", LITMUS_TOKEN_AT},
    {"~", LITMUS_TOKEN_NOT},
    {"&", LITMUS_TOKEN_AMPERSAND},
    {"$", LITMUS_TOKEN_DOLLAR},
    {"-", LITMUS_TOKEN_MINUS},
};

enum { PUNCTUATION_COUNT = sizeof punctuation / sizeof punctuation[0] };

static bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static Span span_of(const LitmusParser *parser, uint32_t begin, uint32_t end) {
  return (Span){parser->source, begin, end};
}

// The character at `offset`, zero at the end of the text.
static char char_at(const LitmusParser *parser, uint32_t offset) {
  return offset < parser->source->length ? parser->source->text[offset] : 0;
}

static bool has_prefix(const LitmusParser *parser, uint32_t offset, const char *prefix) {
  size_t length = strlen(prefix);
  return parser->source->length - offset >= length &&
         memcmp(parser->source->text + offset, prefix, length) == 0;
}

// White space, and the marks of comments inside a comment.
static bool is_margin(char c) {
  return is_space(c) || c == '(' || c == '*' || c == ')';
}

// One line of a comment, which is [begin, end) of the text.
static void keep_expectation(LitmusParser *parser, uint32_t begin, uint32_t end) {
  static const char keyword[] = "expect ";
  const char *text = parser->source->text;
  while (begin < end && is_margin(text[begin]))
    begin++;
  while (end > begin && is_margin(text[end - 1]))
    end--;
  size_t length = end - begin;
  if (length < sizeof keyword || memcmp(text + begin, keyword, sizeof keyword - 1) != 0)
    return;
  array_push(parser->arena, &parser->expectations,
             arena_copy_text(parser->arena, text + begin, length));
}

static void keep_expectations(LitmusParser *parser, uint32_t begin, uint32_t end) {
  const char *text = parser->source->text;
  if (begin < parser->comments_seen)
    return;
  parser->comments_seen = end;
  while (begin < end) {
    const char *newline = memchr(text + begin, '\n', end - begin);
    uint32_t line_end = newline ? (uint32_t)(newline - text) : end;
    keep_expectation(parser, begin, line_end);
    begin = line_end + 1;
  }
}

// `offset` is at the opening of a comment; returns the offset behind it.
static uint32_t skip_comment(LitmusParser *parser, uint32_t offset) {
  uint32_t begin = offset, depth = 0;
  while (offset < parser->source->length) {
    if (has_prefix(parser, offset, "(*")) {
      depth++;
      offset += 2;
    } else if (has_prefix(parser, offset, "*)")) {
      offset += 2;
      if (--depth == 0) {
        keep_expectations(parser, begin + 2, offset - 2);
        return offset;
      }
    } else {
      offset++;
    }
  }
  litmus_error(parser, span_of(parser, begin, begin + 2), "comment is not closed: expected '*)'");
  return parser->source->length;
}

// The comments of C, in tests of that dialect; `offset` is returned if there is none.
static uint32_t skip_c_comment(LitmusParser *parser, uint32_t offset) {
  const char *text = parser->source->text;
  uint32_t length = parser->source->length;
  if (parser->dialect != LITMUS_C)
    return offset;
  if (has_prefix(parser, offset, "//")) {
    const char *newline = memchr(text + offset, '\n', length - offset);
    return newline ? (uint32_t)(newline - text) : length;
  }
  if (!has_prefix(parser, offset, "/*"))
    return offset;
  const char *end = strstr(text + offset + 2, "*/");
  if (end)
    return (uint32_t)(end - text) + 2;
  litmus_error(parser, span_of(parser, offset, offset + 2), "comment is not closed: expected '*/'");
  return length;
}

static uint32_t skip_space(LitmusParser *parser, uint32_t offset) {
  while (offset < parser->source->length) {
    uint32_t behind = skip_c_comment(parser, offset);
    if (is_space(parser->source->text[offset]))
      offset++;
    else if (behind != offset)
      offset = behind;
    else if (has_prefix(parser, offset, "(*"))
      offset = skip_comment(parser, offset);
    else
      break;
  }
  return offset;
}

static uint32_t word_end(const LitmusParser *parser, uint32_t offset) {
  while (is_word_char(char_at(parser, offset)) ||
         (char_at(parser, offset) == '.' && is_word_char(char_at(parser, offset + 1))))
    offset++;
  return offset;
}

// The digits [begin, end), decimal or hexadecimal.
static void scan_number(LitmusParser *parser, LitmusToken *token) {
  char *stop;
  errno = 0;
  int base = has_prefix(parser, token->begin, "0x") ? 16 : 10;
  // The text ends with a zero byte, so that strtoll stops.
  token->number = strtoll(parser->source->text + token->begin, &stop, base);
  int shown = token->end - token->begin > 40 ? 40 : (int)(token->end - token->begin);
  const char *text = parser->source->text + token->begin;
  if (stop != parser->source->text + token->end)
    litmus_error(parser, span_of(parser, token->begin, token->end),
                 "expected a number, found '%.*s'", shown, text);
  else if (errno == ERANGE)
    litmus_error(parser, span_of(parser, token->begin, token->end),
                 "number '%.*s' does not fit in 64 bits", shown, text);
}

static LitmusTokenKind scan_punctuation(const LitmusParser *parser, uint32_t begin, uint32_t *end) {
  for (uint32_t i = 0; i < PUNCTUATION_COUNT; i++) {
    if (has_prefix(parser, begin, punctuation[i].text)) {
      *end = begin + (uint32_t)strlen(punctuation[i].text);
      return punctuation[i].kind;
    }
  }
  *end = begin + 1;
  return LITMUS_TOKEN_BAD;
}

void litmus_next_token(LitmusParser *parser) {
  parser->previous_end = parser->token.end;
  uint32_t begin = skip_space(parser, parser->next);
  LitmusToken token = {.begin = begin, .end = begin};
  char first = char_at(parser, begin);
  if (begin >= parser->source->length) {
    token.kind = LITMUS_TOKEN_END;
  } else if (is_digit(first)) {
    token.kind = LITMUS_TOKEN_NUMBER;
    while (is_word_char(char_at(parser, token.end)))
      token.end++;
    scan_number(parser, &token);
  } else if (is_word_char(first)) {
    token.kind = LITMUS_TOKEN_WORD;
    token.end = word_end(parser, begin);
  } else {
    token.kind = scan_punctuation(parser, begin, &token.end);
  }
  // An error while scanning may have been the last one that is reported.
  if (parser->error_count >= LITMUS_MAX_ERRORS)
    token = (LitmusToken){.begin = parser->source->length, .end = parser->source->length};
  parser->token = token;
  parser->next = token.end;
}

LitmusTokenKind litmus_peek_token(const LitmusParser *parser) {
  uint32_t begin = parser->next, end;
  while (begin < parser->source->length && is_space(parser->source->text[begin]))
    begin++;
  if (begin >= parser->source->length)
    return LITMUS_TOKEN_END;
  char first = char_at(parser, begin);
  if (is_digit(first))
    return LITMUS_TOKEN_NUMBER;
  return is_word_char(first) ? LITMUS_TOKEN_WORD : scan_punctuation(parser, begin, &end);
}

const char *litmus_token_spelling(LitmusTokenKind kind) {
  for (uint32_t i = 0; i < PUNCTUATION_COUNT; i++)
    if (punctuation[i].kind == kind)
      return punctuation[i].text;
  return "";
}

// `offset` is at the quote that opens a string; returns the offset behind the closing one.
static uint32_t skip_string(LitmusParser *parser, uint32_t offset) {
  const char *text = parser->source->text;
  uint32_t length = parser->source->length;
  const char *quote = memchr(text + offset + 1, '"', length - offset - 1);
  if (quote)
    return (uint32_t)(quote - text) + 1;
  litmus_error(parser, span_of(parser, offset, offset + 1), "string is not closed: expected '\"'");
  return length;
}

// The word behind the dialect, on the same line.
static const char *scan_name(const LitmusParser *parser, uint32_t *offset) {
  while (char_at(parser, *offset) == ' ' || char_at(parser, *offset) == '\t')
    ++*offset;
  uint32_t begin = *offset;
  for (char c = char_at(parser, *offset); c && !is_space(c) && c != '{' && c != '"';
       c = char_at(parser, *offset))
    ++*offset;
  return arena_copy_text(parser->arena, parser->source->text + begin, *offset - begin);
}

bool litmus_skip_header(LitmusParser *parser) {
  uint32_t offset = parser->token.end;
  parser->name = scan_name(parser, &offset);
  while (offset < parser->source->length && parser->source->text[offset] != '{') {
    if (parser->source->text[offset] == '"')
      offset = skip_string(parser, offset);
    else if (has_prefix(parser, offset, "(*"))
      offset = skip_comment(parser, offset);
    else
      offset++;
  }
  parser->next = offset;
  litmus_next_token(parser);
  return parser->token.kind == LITMUS_TOKEN_BRACE_OPEN;
}
