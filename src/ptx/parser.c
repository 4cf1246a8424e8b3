#include "ptx/parser.h"

#include <string.h>

void ptx_advance(PtxParser *parser) {
  parser->previous_end = parser->token.end;
  if (ptx_too_many_errors(parser)) {
    parser->token = (PtxToken){.begin = parser->lexer.end, .end = parser->lexer.end};
    return;
  }
  parser->token = ptx_next_token(&parser->lexer);
}

void ptx_begin_statement(PtxParser *parser) {
  parser->depth = 0;
  parser->stack.count = 0;
  parser->statement_begin = parser->token.begin;
}

bool ptx_accept(PtxParser *parser, uint32_t kind) {
  if (parser->token.kind != kind)
    return false;
  ptx_advance(parser);
  return true;
}

bool ptx_expect(PtxParser *parser, uint32_t kind, const char *what) {
  return ptx_accept(parser, kind) || ptx_unexpected(parser, what);
}

bool ptx_too_many_errors(const PtxParser *parser) {
  return parser->error_count >= PTX_MAX_ERRORS;
}

bool ptx_error(PtxParser *parser, PtxSpan span, const char *format, ...) {
  // Once the parse stops, every open rule meets an end of file that is not there.
  if (ptx_too_many_errors(parser))
    return false;
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_format_list(parser->arena, format, arguments);
  va_end(arguments);
  parser->error_count++;
  diag_syntax(parser->diags, ptx_span(parser->module, span), "%s", message);
  if (ptx_too_many_errors(parser))
    diag_syntax(parser->diags, ptx_span(parser->module, span),
                "expected fewer than %d errors, the rest of the file is not read", PTX_MAX_ERRORS);
  return false;
}

bool ptx_unexpected(PtxParser *parser, const char *what) {
  if (parser->lexer.error_end > parser->statement_begin)
    return false;
  return ptx_error(parser, ptx_token_span(parser), "expected %s, found %s", what,
                   ptx_describe_token(&parser->lexer, &parser->token, parser->arena));
}

bool ptx_expect_name(PtxParser *parser, Name *name, const char *what) {
  *name = parser->token.name;
  return ptx_expect(parser, TOKEN_NAME, what);
}

bool ptx_expect_uint32(PtxParser *parser, uint32_t *value, const char *what) {
  if (parser->token.kind == TOKEN_INTEGER && parser->token.value > UINT32_MAX)
    return ptx_unexpected(parser, what);
  *value = (uint32_t)parser->token.value;
  return ptx_expect(parser, TOKEN_INTEGER, what);
}

bool ptx_token_is(const PtxParser *parser, const char *dot_name) {
  return parser->token.kind == TOKEN_DOT_NAME &&
         strcmp(ptx_text(parser->module, parser->token.name), dot_name) == 0;
}

PtxSpan ptx_token_span(const PtxParser *parser) {
  return (PtxSpan){parser->token.begin, parser->token.end};
}

PtxSpan ptx_span_from(const PtxParser *parser, uint32_t begin) {
  uint32_t end = parser->previous_end;
  return (PtxSpan){begin, end < begin ? begin : end};
}

bool ptx_enter(PtxParser *parser) {
  if (parser->depth == PTX_MAX_DEPTH)
    return ptx_error(parser, ptx_token_span(parser), "expected at most %d levels of nesting",
                     PTX_MAX_DEPTH);
  parser->depth++;
  return true;
}

void ptx_leave(PtxParser *parser) {
  parser->depth--;
}

void ptx_skip_statement(PtxParser *parser) {
  while (parser->token.kind != TOKEN_END && parser->token.kind != '}') {
    // An operand list in braces belongs to the statement.
    if (parser->token.kind == '{') {
      ptx_skip_braces(&parser->lexer);
      ptx_advance(parser);
      continue;
    }
    if (ptx_accept(parser, ';'))
      return;
    ptx_advance(parser);
  }
}
