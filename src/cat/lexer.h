// Splits a .cat text into tokens. Comments (* which nest *) and white space are skipped.
#ifndef WARPSAN_CAT_LEXER_H
#define WARPSAN_CAT_LEXER_H

#include "cat/errors.h"

typedef enum CatTokenKind {
  CAT_TOKEN_END,
  CAT_TOKEN_NAME,
  CAT_TOKEN_STRING,  // the span includes the quotes
  CAT_TOKEN_REFUSED, // a word of herd's cat that is not supported
  CAT_TOKEN_UNKNOWN, // bytes that begin no token
#define CAT_KEYWORD(id, text) CAT_TOKEN_##id,
#define CAT_MARK(id, text) CAT_TOKEN_##id,
#include "cat/tokens.def"
} CatTokenKind;

typedef struct CatToken {
  CatTokenKind kind;
  Span span;
} CatToken;

typedef struct CatLexer {
  const Source *source;
  CatErrors *errors;
  uint32_t offset;
} CatLexer;

void cat_lexer_init(CatLexer *lexer, const Source *source, CatErrors *errors);
CatToken cat_lexer_next(CatLexer *lexer);

// Reports the token, where something else was expected: `wanted` completes "expected ...".
void cat_token_report(const CatToken *token, const char *wanted, CatErrors *errors);

#endif
