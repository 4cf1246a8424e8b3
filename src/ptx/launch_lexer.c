// Tokens of a launch line.
#include "ptx/launch_parser.h"

#include <string.h>

enum { SHOWN_BYTES = 40 }; // of a token in a message

// Longer ones first: the first that fits is taken. Those of two characters are LAUNCH_TOKEN_TO and
// before.
static const struct {
  char text[3];
  LaunchTokenKind kind;
} punctuation[] = {
    {"<<", LAUNCH_TOKEN_SHIFT_LEFT},  {">>", LAUNCH_TOKEN_SHIFT_RIGHT},
    {"<=", LAUNCH_TOKEN_LESS_EQUAL},  {">=", LAUNCH_TOKEN_GREATER_EQUAL},
    {"==", LAUNCH_TOKEN_EQUAL},       {"!=", LAUNCH_TOKEN_NOT_EQUAL},
    {"&&", LAUNCH_TOKEN_AND},         {"||", LAUNCH_TOKEN_OR},
    {"..", LAUNCH_TOKEN_TO},          {"=", LAUNCH_TOKEN_ASSIGN},
    {",", LAUNCH_TOKEN_COMMA},        {":", LAUNCH_TOKEN_COLON},
    {"[", LAUNCH_TOKEN_BRACKET_OPEN}, {"]", LAUNCH_TOKEN_BRACKET_CLOSE},
    {"{", LAUNCH_TOKEN_BRACE_OPEN},   {"}", LAUNCH_TOKEN_BRACE_CLOSE},
    {"(", LAUNCH_TOKEN_PAREN_OPEN},   {")", LAUNCH_TOKEN_PAREN_CLOSE},
    {"*", LAUNCH_TOKEN_STAR},         {"/", LAUNCH_TOKEN_SLASH},
    {"%", LAUNCH_TOKEN_PERCENT},      {"+", LAUNCH_TOKEN_PLUS},
    {"-", LAUNCH_TOKEN_MINUS},        {"<", LAUNCH_TOKEN_LESS},
    {">", LAUNCH_TOKEN_GREATER},      {"&", LAUNCH_TOKEN_BIT_AND},
    {"^", LAUNCH_TOKEN_BIT_XOR},      {"|", LAUNCH_TOKEN_BIT_OR},
    {"!", LAUNCH_TOKEN_NOT},          {"~", LAUNCH_TOKEN_TILDE},
    {"?", LAUNCH_TOKEN_QUESTION},
};
enum { PUNCTUATION_COUNT = sizeof punctuation / sizeof punctuation[0] };

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

static char character_at(const LaunchParser *parser, uint32_t at) {
  return at < parser->end ? parser->source->text[at] : 0;
}

static uint32_t name_end(const LaunchParser *parser, uint32_t at) {
  while (is_name_part(character_at(parser, at)))
    at++;
  return at;
}

static bool is_exponent_sign(const LaunchParser *parser, uint32_t at) {
  char c = character_at(parser, at), sign = character_at(parser, at + 1);
  return (c == 'e' || c == 'E') && (sign == '+' || sign == '-') &&
         is_digit(character_at(parser, at + 2));
}

static bool is_hexadecimal(const LaunchParser *parser, uint32_t at) {
  char x = character_at(parser, at + 1);
  return character_at(parser, at) == '0' && (x == 'x' || x == 'X');
}

// Letters belong to it as well, so that a misspelt number is one bad token; but not the first of
// two periods: 0..31.
static uint32_t number_end(const LaunchParser *parser, uint32_t begin) {
  if (is_hexadecimal(parser, begin))
    return name_end(parser, begin);
  bool has_period = false;
  uint32_t at = begin;
  for (;;) {
    if (is_exponent_sign(parser, at)) {
      at += 2;
    } else if (character_at(parser, at) == '.' && character_at(parser, at + 1) != '.' &&
               !has_period) {
      has_period = true;
      at++;
    } else if (is_name_part(character_at(parser, at))) {
      at++;
    } else {
      return at;
    }
  }
}

// Names and paths are texts that a zero byte ends: none is within a string.
static LaunchToken read_string(const LaunchParser *parser, uint32_t begin) {
  for (uint32_t at = begin + 1; at < parser->end && parser->source->text[at]; at++)
    if (parser->source->text[at] == '"')
      return (LaunchToken){LAUNCH_TOKEN_STRING, begin, at + 1};
  return (LaunchToken){LAUNCH_TOKEN_BAD, begin, begin + 1};
}

static LaunchToken read_punctuation(const LaunchParser *parser, uint32_t begin) {
  const char *text = parser->source->text + begin;
  for (uint32_t i = 0; i < PUNCTUATION_COUNT; i++) {
    uint32_t length = punctuation[i].kind <= LAUNCH_TOKEN_TO ? 2 : 1;
    if (length <= parser->end - begin && memcmp(text, punctuation[i].text, length) == 0)
      return (LaunchToken){punctuation[i].kind, begin, begin + length};
  }
  return (LaunchToken){LAUNCH_TOKEN_BAD, begin, begin + 1};
}

static LaunchToken read_token(const LaunchParser *parser, uint32_t at) {
  while (is_space(character_at(parser, at)))
    at++;
  char c = character_at(parser, at);
  if (at >= parser->end)
    return (LaunchToken){LAUNCH_TOKEN_END, parser->end, parser->end};
  if (is_name_start(c))
    return (LaunchToken){LAUNCH_TOKEN_NAME, at, name_end(parser, at)};
  if (is_digit(c) || (c == '.' && is_digit(character_at(parser, at + 1))))
    return (LaunchToken){LAUNCH_TOKEN_NUMBER, at, number_end(parser, at)};
  return c == '"' ? read_string(parser, at) : read_punctuation(parser, at);
}

void launch_skip_to(LaunchParser *parser, uint32_t at) {
  parser->token = read_token(parser, at);
}

void launch_next_token(LaunchParser *parser) {
  launch_skip_to(parser, parser->token.end);
}

void launch_begin_line(LaunchParser *parser, const Source *source, uint32_t begin, uint32_t end) {
  while (end > begin && is_space(source->text[end - 1]))
    end--; // so that what is missing at the end is missed right behind the last word
  parser->source = source;
  parser->end = end;
  launch_skip_to(parser, begin);
}

Span launch_token_span(const LaunchParser *parser) {
  return (Span){parser->source, parser->token.begin, parser->token.end};
}

Span launch_span_from(const LaunchParser *parser, uint32_t begin) {
  uint32_t end = parser->token.begin;
  while (end > begin && is_space(parser->source->text[end - 1]))
    end--;
  return (Span){parser->source, begin, end};
}

const char *launch_token_text(const LaunchParser *parser) {
  return arena_copy_text(parser->arena, parser->source->text + parser->token.begin,
                         parser->token.end - parser->token.begin);
}

bool launch_at_word(const LaunchParser *parser, const char *word) {
  size_t length = strlen(word);
  return parser->token.kind == LAUNCH_TOKEN_NAME &&
         parser->token.end - parser->token.begin == length &&
         memcmp(parser->source->text + parser->token.begin, word, length) == 0;
}

bool launch_take_word(LaunchParser *parser, const char *word) {
  if (!launch_at_word(parser, word))
    return false;
  launch_next_token(parser);
  return true;
}

bool launch_take_token(LaunchParser *parser, LaunchTokenKind kind) {
  if (parser->token.kind != kind)
    return false;
  launch_next_token(parser);
  return true;
}

static const char *punctuation_text(LaunchTokenKind kind) {
  return punctuation[kind - LAUNCH_TOKEN_SHIFT_LEFT].text;
}

bool launch_expect_token(LaunchParser *parser, LaunchTokenKind kind) {
  if (launch_take_token(parser, kind))
    return true;
  return launch_expected(parser, arena_format(parser->arena, "'%s'", punctuation_text(kind)));
}

bool launch_expect_name(LaunchParser *parser, const char *what, const char **name) {
  if (parser->token.kind != LAUNCH_TOKEN_NAME)
    return launch_expected(parser, what);
  *name = launch_token_text(parser);
  launch_next_token(parser);
  return true;
}

bool launch_error(LaunchParser *parser, Span span, const char *format, ...) {
  parser->error_count++;
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_format_list(parser->arena, format, arguments);
  va_end(arguments);
  return diag_syntax(parser->diags, span, "%s", message);
}

// The current token as messages show it.
static const char *token_description(const LaunchParser *parser) {
  const char *text = parser->source->text + parser->token.begin;
  uint32_t length = parser->token.end - parser->token.begin;
  if (parser->token.kind == LAUNCH_TOKEN_END)
    return "the end of the line";
  if (parser->token.kind == LAUNCH_TOKEN_BAD && *text == '"')
    return "'\"' without a second one";
  if (parser->token.kind == LAUNCH_TOKEN_BAD && (*text < ' ' || *text > '~'))
    return arena_format(parser->arena, "the byte 0x%02x", (unsigned char)*text);
  if (length <= SHOWN_BYTES)
    return arena_format(parser->arena, "'%s'", launch_token_text(parser));
  return arena_format(parser->arena, "'%s...'", arena_copy_text(parser->arena, text, SHOWN_BYTES));
}

bool launch_expected(LaunchParser *parser, const char *what) {
  return launch_error(parser, launch_token_span(parser), "expected %s, found %s", what,
                      token_description(parser));
}
