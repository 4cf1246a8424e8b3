// .cat text -> syntax tree. After a mistake the parser goes on at the next statement.
#ifndef WARPSAN_CAT_PARSER_H
#define WARPSAN_CAT_PARSER_H

#include "cat/errors.h"
#include "cat/lexer.h"
#include "cat/syntax.h"

typedef struct CatParser {
  CatLexer lexer;
  CatToken token; // the next one to consume
  CatToken ahead; // the one behind it
  CatErrors *errors;
  NameTable *names;
  Arena *arena;
  uint32_t depth;    // of nested expressions being parsed
  uint32_t last_end; // where the last consumed token ended
} CatParser;

// Parses `source`. Mistakes are in `errors`; the tree then lacks the statements that hold them.
CatSyntax *cat_parse_syntax(const Source *source, CatErrors *errors, NameTable *names,
                            Arena *arena);

// For parser.c and expression.c only.
void cat_parser_advance(CatParser *parser);
bool cat_parser_accept(CatParser *parser, CatTokenKind kind);
// `wanted` completes "expected ..."; false if the token is another one, which is then reported.
bool cat_parser_expect(CatParser *parser, CatTokenKind kind, const char *wanted);
void cat_parser_report(CatParser *parser, const char *wanted);
Name cat_parser_name(CatParser *parser, Span span);
// NULL after a mistake.
CatExpression *cat_parse_expression(CatParser *parser);
const CatDefinition *cat_parse_definition(CatParser *parser); // from the `let` on

#endif
