#include "cat/lexer.h"

#include <string.h>

typedef struct Word {
  const char *text;
  CatTokenKind kind;
} Word;

typedef struct RefusedWord {
  const char *text;
  const char *advice;
} RefusedWord;

static const Word keywords[] = {
#define CAT_KEYWORD(id, text) {text, CAT_TOKEN_##id},
#include "cat/tokens.def"
};

static const Word marks[] = {
#define CAT_MARK(id, text) {text, CAT_TOKEN_##id},
#include "cat/tokens.def"
};

static const RefusedWord refused_words[] = {
#define CAT_REFUSED(text, advice) {text, advice},
#include "cat/tokens.def"
};

enum {
  KEYWORD_COUNT = sizeof keywords / sizeof keywords[0],
  MARK_COUNT = sizeof marks / sizeof marks[0],
  REFUSED_COUNT = sizeof refused_words / sizeof refused_words[0],
  SHOWN_BYTES = 40, // of a token in a message
};

void cat_lexer_init(CatLexer *lexer, const Source *source, CatErrors *errors) {
  *lexer = (CatLexer){.source = source, .errors = errors};
}

static Span span_from(const CatLexer *lexer, uint32_t begin) {
  return (Span){lexer->source, begin, lexer->offset};
}

// The character `ahead` bytes further on; 0 past the end.
static char peek(const CatLexer *lexer, uint32_t ahead) {
  uint32_t left = lexer->source->length - lexer->offset;
  return ahead < left ? lexer->source->text[lexer->offset + ahead] : '\0';
}

static bool is_at(const CatLexer *lexer, const char *text) {
  size_t length = strlen(text);
  return lexer->source->length - lexer->offset >= length &&
         memcmp(lexer->source->text + lexer->offset, text, length) == 0;
}

static bool is_at_end(const CatLexer *lexer) {
  return lexer->offset == lexer->source->length;
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static void skip_comment(CatLexer *lexer) {
  uint32_t begin = lexer->offset, depth = 0;
  do {
    if (is_at(lexer, "(*")) {
      depth++;
      lexer->offset += 2;
    } else if (is_at(lexer, "*)")) {
      depth--;
      lexer->offset += 2;
    } else {
      lexer->offset++;
    }
  } while (depth > 0 && !is_at_end(lexer));
  if (depth > 0)
    cat_error(lexer->errors, (Span){lexer->source, begin, begin + 2},
              "expected '*)' to end this comment, found the end of the file");
}

static void skip_blanks(CatLexer *lexer) {
  while (!is_at_end(lexer))
    if (is_space(peek(lexer, 0)))
      lexer->offset++;
    else if (is_at(lexer, "(*"))
      skip_comment(lexer);
    else
      return;
}

static bool is_word(Span span, const char *text) {
  size_t length = strlen(text);
  return span.end - span.begin == length &&
         memcmp(span.source->text + span.begin, text, length) == 0;
}

static const RefusedWord *find_refused(Span span) {
  for (uint32_t i = 0; i < REFUSED_COUNT; i++)
    if (is_word(span, refused_words[i].text))
      return &refused_words[i];
  return NULL;
}

static CatTokenKind classify_word(Span span) {
  for (uint32_t i = 0; i < KEYWORD_COUNT; i++)
    if (is_word(span, keywords[i].text))
      return keywords[i].kind;
  return find_refused(span) ? CAT_TOKEN_REFUSED : CAT_TOKEN_NAME;
}

static CatToken lex_word(CatLexer *lexer) {
  uint32_t begin = lexer->offset;
  while (is_name_character(peek(lexer, 0)))
    lexer->offset++;
  Span span = span_from(lexer, begin);
  return (CatToken){classify_word(span), span};
}

static CatToken lex_string(CatLexer *lexer) {
  uint32_t begin = lexer->offset++;
  while (!is_at_end(lexer) && peek(lexer, 0) != '"' && peek(lexer, 0) != '\n')
    lexer->offset++;
  if (peek(lexer, 0) == '"') {
    lexer->offset++;
  } else {
    cat_error(lexer->errors, span_from(lexer, begin),
              "expected '\"' to end this string before the end of the line");
  }
  return (CatToken){CAT_TOKEN_STRING, span_from(lexer, begin)};
}

static const Word *find_mark(const CatLexer *lexer) {
  for (uint32_t i = 0; i < MARK_COUNT; i++)
    if (is_at(lexer, marks[i].text))
      return &marks[i];
  return NULL;
}

// A run of equal bytes that no token begins with is one token.
static CatToken lex_unknown(CatLexer *lexer) {
  uint32_t begin = lexer->offset;
  char first = peek(lexer, 0);
  do
    lexer->offset++;
  while (!is_at_end(lexer) && peek(lexer, 0) == first);
  return (CatToken){CAT_TOKEN_UNKNOWN, span_from(lexer, begin)};
}

CatToken cat_lexer_next(CatLexer *lexer) {
  skip_blanks(lexer);
  if (is_at_end(lexer) || lexer->errors->is_stopped)
    return (CatToken){CAT_TOKEN_END, span_from(lexer, lexer->offset)};
  if (is_letter(peek(lexer, 0)))
    return lex_word(lexer);
  if (peek(lexer, 0) == '"')
    return lex_string(lexer);
  const Word *mark = find_mark(lexer);
  if (!mark)
    return lex_unknown(lexer);
  uint32_t begin = lexer->offset;
  lexer->offset += (uint32_t)strlen(mark->text);
  return (CatToken){mark->kind, span_from(lexer, begin)};
}

static void report_unknown(Span span, CatErrors *errors) {
  char first = span.source->text[span.begin];
  if (first == '/')
    cat_error(errors, span, "unexpected '/': a comment is written '(* ... *)'");
  else if (first == '^')
    cat_error(errors, span, "expected '^-1', '^+', '^*' or '^?', found '^' alone");
  else if (first == '\'')
    cat_error(errors, span, "unexpected \"'\": tags are not supported");
  else if (first > ' ' && first <= '~')
    cat_error(errors, span, "unexpected character '%c'", first);
  else
    cat_error(errors, span, "unexpected byte 0x%02x", (unsigned char)first);
}

void cat_token_report(const CatToken *token, const char *wanted, CatErrors *errors) {
  Span span = token->span;
  int length = (int)(span.end - span.begin), shown = length < SHOWN_BYTES ? length : SHOWN_BYTES;
  const char *text = span.source->text + span.begin;
  switch (token->kind) {
  case CAT_TOKEN_UNKNOWN:
    report_unknown(span, errors);
    break;
  case CAT_TOKEN_REFUSED:
    cat_error(errors, span, "'%.*s' is not supported: %s", length, text,
              find_refused(span)->advice);
    break;
  case CAT_TOKEN_END:
    cat_error(errors, span, "expected %s, found the end of the file", wanted);
    break;
  case CAT_TOKEN_STRING:
    cat_error(errors, span, "expected %s, found a string", wanted);
    break;
  default:
    cat_error(errors, span, "expected %s, found '%.*s%s'", wanted, shown, text,
              shown < length ? "..." : "");
    break;
  }
}
