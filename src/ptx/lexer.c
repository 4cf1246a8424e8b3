#include "ptx/lexer.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum {
  CLASS_SPACE = 1,
  CLASS_NAME_START = 2, // letters and _ $
  CLASS_DIGIT = 4,
  CLASS_PUNCTUATION = 8,
  CLASS_NAME = CLASS_NAME_START | CLASS_DIGIT,
};

// clang-format off
#define S CLASS_SPACE
#define N CLASS_NAME_START
#define D CLASS_DIGIT
#define P CLASS_PUNCTUATION
static const uint8_t character_class[256] = {
    [' '] = S, ['\t'] = S, ['\r'] = S, ['\n'] = S, ['\v'] = S, ['\f'] = S,
    ['0'] = D, D, D, D, D, D, D, D, D, D,
    ['A'] = N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    ['a'] = N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    ['_'] = N, ['$'] = N,
    ['('] = P, [')'] = P, ['['] = P, [']'] = P, ['{'] = P, ['}'] = P, ['<'] = P, ['>'] = P,
    [','] = P, [';'] = P, [':'] = P, ['+'] = P, ['-'] = P, ['*'] = P, ['/'] = P, ['%'] = P,
    ['!'] = P, ['~'] = P, ['&'] = P, ['|'] = P, ['^'] = P, ['='] = P, ['?'] = P, ['@'] = P,
};
#undef S
#undef N
#undef D
#undef P
// clang-format on

// Two-character punctuation.
static const struct {
  char text[3];
  uint16_t kind;
} pairs[] = {
    {"<<", TOKEN_SHIFT_LEFT},    {">>", TOKEN_SHIFT_RIGHT}, {"<=", TOKEN_LESS_EQUAL},
    {">=", TOKEN_GREATER_EQUAL}, {"==", TOKEN_EQUAL},       {"!=", TOKEN_NOT_EQUAL},
    {"&&", TOKEN_AND},           {"||", TOKEN_OR},
};

static bool has_class(uint8_t character, uint8_t mask) {
  return character_class[character] & mask;
}

static uint8_t character_at(const PtxLexer *lexer, uint32_t offset) {
  return offset < lexer->end ? (uint8_t)lexer->source->text[offset] : 0;
}

static void report(PtxLexer *lexer, uint32_t begin, uint32_t end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void report(PtxLexer *lexer, uint32_t begin, uint32_t end, const char *format, ...) {
  lexer->error_end = end;
  if ((*lexer->error_count)++ >= PTX_MAX_ERRORS) {
    lexer->at = lexer->end; // the rest is hardly PTX
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_format_list(lexer->diags->arena, format, arguments);
  va_end(arguments);
  diag_syntax(lexer->diags, (Span){lexer->source, begin, end}, "%s", message);
}

static void skip_line(PtxLexer *lexer) {
  const char *text = lexer->source->text + lexer->at;
  const char *newline = memchr(text, '\n', lexer->end - lexer->at);
  lexer->at = newline ? lexer->at + (uint32_t)(newline - text) : lexer->end;
}

static void skip_block_comment(PtxLexer *lexer) {
  uint32_t begin = lexer->at;
  lexer->at += 2;
  while (lexer->at < lexer->end) {
    if (character_at(lexer, lexer->at) == '*' && character_at(lexer, lexer->at + 1) == '/') {
      lexer->at += 2;
      return;
    }
    lexer->at++;
  }
  report(lexer, begin, begin + 2, "expected '*/' to close this comment, found end of file");
}

// Skips one comment, if there is one here.
static bool skip_comment(PtxLexer *lexer) {
  if (character_at(lexer, lexer->at) != '/')
    return false;
  uint8_t next = character_at(lexer, lexer->at + 1);
  if (next == '/')
    skip_line(lexer);
  else if (next == '*')
    skip_block_comment(lexer);
  else
    return false;
  return true;
}

static void skip_space(PtxLexer *lexer) {
  do {
    while (lexer->at < lexer->end && has_class(character_at(lexer, lexer->at), CLASS_SPACE))
      lexer->at++;
  } while (skip_comment(lexer));
}

static void skip_name(PtxLexer *lexer) {
  while (has_class(character_at(lexer, lexer->at), CLASS_NAME))
    lexer->at++;
}

static Name intern(PtxLexer *lexer, uint32_t begin, uint32_t end) {
  return names_intern(lexer->names, lexer->source->text + begin, end - begin);
}

static void read_name(PtxLexer *lexer, PtxToken *token) {
  lexer->at++;
  skip_name(lexer);
  token->kind = TOKEN_NAME;
  token->name = intern(lexer, token->begin, lexer->at);
}

// A directive or modifier: .name, .a::b::c, .128B, .2d.
static void read_dot_name(PtxLexer *lexer, PtxToken *token) {
  lexer->at++;
  skip_name(lexer);
  while (character_at(lexer, lexer->at) == ':' && character_at(lexer, lexer->at + 1) == ':' &&
         has_class(character_at(lexer, lexer->at + 2), CLASS_NAME)) {
    lexer->at += 2;
    skip_name(lexer);
  }
  token->kind = TOKEN_DOT_NAME;
  token->name = intern(lexer, token->begin + 1, lexer->at);
}

static int digit_value(uint8_t character) {
  if (character >= '0' && character <= '9')
    return character - '0';
  if (character >= 'a' && character <= 'f')
    return character - 'a' + 10;
  if (character >= 'A' && character <= 'F')
    return character - 'A' + 10;
  return 99;
}

// Reads digits of `radix`; returns how many there are.
static uint32_t read_digits(PtxLexer *lexer, PtxToken *token, uint8_t radix) {
  uint32_t begin = lexer->at;
  bool overflow = false;
  token->radix = radix;
  for (;; lexer->at++) {
    int digit = digit_value(character_at(lexer, lexer->at));
    if (digit >= radix)
      break;
    overflow |= token->value > (UINT64_MAX - (uint64_t)digit) / radix;
    token->value = token->value * radix + (uint64_t)digit;
  }
  if (overflow)
    report(lexer, token->begin, lexer->at, "expected an integer of at most 64 bits");
  return lexer->at - begin;
}

static const char *radix_name(uint8_t radix) {
  return radix == 2    ? "a binary"
         : radix == 8  ? "an octal"
         : radix == 16 ? "a hexadecimal"
                       : "a decimal";
}

// Reports a number without digits, or letters that stick to it: 0x, 12ab, 08.
static void finish_number(PtxLexer *lexer, PtxToken *token, uint32_t digit_count) {
  enum { SHOWN = 40 };
  uint32_t end = lexer->at;
  skip_name(lexer);
  if (digit_count > 0 && lexer->at == end)
    return;
  uint32_t length = lexer->at - token->begin;
  report(lexer, token->begin, lexer->at, "expected %s number, found '%.*s'",
         radix_name(token->radix), (int)(length > SHOWN ? SHOWN : length),
         lexer->source->text + token->begin);
}

static void read_float_bits(PtxLexer *lexer, PtxToken *token, uint32_t digits) {
  lexer->at += 2;
  uint32_t count = read_digits(lexer, token, 16);
  token->kind = digits == 8 ? TOKEN_FLOAT32 : TOKEN_FLOAT64;
  if (count != digits && count > 0 && count <= 16)
    report(lexer, token->begin, lexer->at, "expected %u hexadecimal digits behind 0%c, found %u",
           digits, digits == 8 ? 'f' : 'd', count);
  finish_number(lexer, token, count);
}

static void read_integer(PtxLexer *lexer, PtxToken *token, uint8_t radix, uint32_t prefix) {
  token->kind = TOKEN_INTEGER;
  lexer->at += prefix;
  uint32_t count = read_digits(lexer, token, radix);
  if (character_at(lexer, lexer->at) == 'U') {
    lexer->at++;
    token->has_suffix = true;
  }
  finish_number(lexer, token, count);
}

// Behind decimal digits at `offset`: does a fraction or an exponent follow?
static bool continues_as_float(const PtxLexer *lexer, uint32_t offset) {
  uint8_t first = character_at(lexer, offset), second = character_at(lexer, offset + 1);
  if (first == '.')
    return has_class(second, CLASS_DIGIT);
  if (first != 'e' && first != 'E')
    return false;
  if (second == '+' || second == '-')
    second = character_at(lexer, offset + 2);
  return has_class(second, CLASS_DIGIT);
}

static void skip_digits(PtxLexer *lexer) {
  while (has_class(character_at(lexer, lexer->at), CLASS_DIGIT))
    lexer->at++;
}

static double parse_double(const PtxLexer *lexer, uint32_t begin, uint32_t end) {
  char buffer[64];
  uint32_t length = end - begin;
  memcpy(buffer, lexer->source->text + begin, length);
  buffer[length] = 0;
  // strtod expects the decimal point of the program's locale.
  char *point = strchr(buffer, '.');
  if (point)
    *point = localeconv()->decimal_point[0];
  return strtod(buffer, NULL);
}

static void read_decimal_float(PtxLexer *lexer, PtxToken *token) {
  skip_digits(lexer);
  if (character_at(lexer, lexer->at) == '.') {
    lexer->at++;
    skip_digits(lexer);
  }
  if (continues_as_float(lexer, lexer->at)) {
    lexer->at += 2;
    skip_digits(lexer);
  }
  token->kind = TOKEN_FLOAT64;
  if (lexer->at - token->begin < 64) {
    double value = parse_double(lexer, token->begin, lexer->at);
    memcpy(&token->value, &value, sizeof value);
  } else {
    report(lexer, token->begin, lexer->at, "expected a number of at most 63 characters");
  }
  token->radix = 10;
  finish_number(lexer, token, 1);
}

static void read_number(PtxLexer *lexer, PtxToken *token) {
  uint32_t offset = lexer->at;
  uint8_t second = character_at(lexer, offset + 1) | 0x20;
  bool has_zero = character_at(lexer, offset) == '0';
  if (has_zero && second == 'x') {
    read_integer(lexer, token, 16, 2);
  } else if (has_zero && second == 'b') {
    read_integer(lexer, token, 2, 2);
  } else if (has_zero && (second == 'f' || second == 'd')) {
    read_float_bits(lexer, token, second == 'f' ? 8 : 16);
  } else {
    while (has_class(character_at(lexer, offset), CLASS_DIGIT))
      offset++;
    if (continues_as_float(lexer, offset))
      read_decimal_float(lexer, token);
    else if (has_zero && offset - lexer->at > 1)
      read_integer(lexer, token, 8, 1);
    else
      read_integer(lexer, token, 10, 0);
  }
}

static void read_string(PtxLexer *lexer, PtxToken *token) {
  token->kind = TOKEN_STRING;
  for (lexer->at++; lexer->at < lexer->end; lexer->at++) {
    uint8_t character = character_at(lexer, lexer->at);
    if (character == '"') {
      token->name = intern(lexer, token->begin + 1, lexer->at++);
      return;
    }
    if (character == '\n')
      break;
    if (character == '\\' && lexer->at + 1 < lexer->end &&
        character_at(lexer, lexer->at + 1) != '\n')
      lexer->at++;
  }
  report(lexer, token->begin, token->begin + 1, "expected '\"' before the end of the line");
  token->name = intern(lexer, token->begin + 1, lexer->at);
}

static void read_punctuation(PtxLexer *lexer, PtxToken *token) {
  const char *text = lexer->source->text + lexer->at;
  token->kind = (uint8_t)text[0];
  lexer->at++;
  if (lexer->at == lexer->end)
    return;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (text[0] == pairs[i].text[0] && text[1] == pairs[i].text[1]) {
      token->kind = pairs[i].kind;
      lexer->at++;
      return;
    }
  }
}

static bool begins_token(const PtxLexer *lexer, uint32_t offset) {
  uint8_t character = character_at(lexer, offset);
  if (character == '.')
    return has_class(character_at(lexer, offset + 1), CLASS_NAME);
  return character == '"' || character_class[character];
}

// Reports and skips a run of characters that begin no token.
static void skip_garbage(PtxLexer *lexer) {
  uint32_t begin = lexer->at;
  while (lexer->at < lexer->end && !begins_token(lexer, lexer->at))
    lexer->at++;
  uint8_t first = character_at(lexer, begin);
  if (first > ' ' && first < 127)
    report(lexer, begin, lexer->at, "expected a token, found the character '%c'", first);
  else
    report(lexer, begin, lexer->at, "expected a token, found the byte 0x%02x", first);
}

PtxToken ptx_next_token(PtxLexer *lexer) {
  skip_space(lexer);
  while (lexer->at < lexer->end && !begins_token(lexer, lexer->at)) {
    skip_garbage(lexer);
    skip_space(lexer);
  }
  PtxToken token = {.begin = lexer->at};
  uint8_t character = character_at(lexer, lexer->at);
  if (lexer->at == lexer->end)
    token.kind = TOKEN_END;
  else if (has_class(character, CLASS_NAME_START) ||
           (character == '%' && has_class(character_at(lexer, lexer->at + 1), CLASS_NAME)))
    read_name(lexer, &token);
  else if (character == '.')
    read_dot_name(lexer, &token);
  else if (has_class(character, CLASS_DIGIT))
    read_number(lexer, &token);
  else if (character == '"')
    read_string(lexer, &token);
  else
    read_punctuation(lexer, &token);
  token.end = lexer->at;
  return token;
}

bool ptx_skip_braces(PtxLexer *lexer) {
  uint32_t depth = 1;
  while (lexer->at < lexer->end) {
    if (skip_comment(lexer))
      continue;
    uint8_t character = character_at(lexer, lexer->at);
    if (character == '"') {
      PtxToken string = {.begin = lexer->at};
      read_string(lexer, &string);
      continue;
    }
    lexer->at++;
    if (character == '{')
      depth++;
    else if (character == '}' && --depth == 0)
      return true;
  }
  return false;
}

const char *ptx_describe_token(const PtxLexer *lexer, const PtxToken *token, Arena *arena) {
  enum { SHOWN = 40 };
  if (token->kind == TOKEN_END)
    return "end of file";
  uint32_t length = token->end - token->begin;
  const char *dots = length > SHOWN ? "..." : "";
  char *text =
      arena_copy_text(arena, lexer->source->text + token->begin, length > SHOWN ? SHOWN : length);
  for (char *c = text; *c; c++)
    if ((uint8_t)*c < ' ' || (uint8_t)*c >= 127)
      *c = '?';
  return arena_format(arena, "'%s%s'", text, dots);
}
