// PTX text -> tokens, one at a time.
#ifndef WARPSAN_PTX_LEXER_H
#define WARPSAN_PTX_LEXER_H

#include "base/diag.h"
#include "base/names.h"

enum { PTX_MAX_ERRORS = 100 }; // of one module; then the parse stops

// A punctuation character is its own kind.
typedef enum PtxTokenKind {
  TOKEN_END = 0,
  TOKEN_NAME = 256, // foo, %r1, $L__BB0_1, _
  TOKEN_DOT_NAME,   // .reg, .shared::cta; the name is without the period
  TOKEN_INTEGER,
  TOKEN_FLOAT32, // 0f3F800000
  TOKEN_FLOAT64, // 0d..., 1.5
  TOKEN_STRING,  // the name is the text between the quotes
  TOKEN_SHIFT_LEFT,
  TOKEN_SHIFT_RIGHT,
  TOKEN_LESS_EQUAL,
  TOKEN_GREATER_EQUAL,
  TOKEN_EQUAL,
  TOKEN_NOT_EQUAL,
  TOKEN_AND,
  TOKEN_OR,
} PtxTokenKind;

typedef struct PtxToken {
  uint32_t kind; // PtxTokenKind or a character
  uint32_t begin, end;
  Name name;
  uint64_t value;  // of a number; the bits of a floating one
  uint8_t radix;   // of an integer
  bool has_suffix; // U
} PtxToken;

typedef struct PtxLexer {
  const Source *source;
  uint32_t at, end; // next byte, end of the text
  NameTable *names;
  DiagList *diags;
  uint32_t *error_count; // of the parse
  uint32_t error_end;    // end of the last text that was reported
} PtxLexer;

// Reads the next token. Characters that begin none are reported once for each run and skipped.
PtxToken ptx_next_token(PtxLexer *lexer);

// `lexer->at` is behind an opening brace: moves it behind the closing one that matches, without
// looking at the data between. False, and at the end, if there is none.
bool ptx_skip_braces(PtxLexer *lexer);

// The token as a message shows it: 'text', a string, or "end of file".
const char *ptx_describe_token(const PtxLexer *lexer, const PtxToken *token, Arena *arena);

#endif
