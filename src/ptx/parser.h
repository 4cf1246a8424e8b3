// The state of a parse and the functions that its files share. Functions that return bool return
// false after they have reported an error; the caller returns false too, up to the statement or
// item, which then skips to a safe place.
#ifndef WARPSAN_PTX_PARSER_H
#define WARPSAN_PTX_PARSER_H

#include "ptx/keywords.h"
#include "ptx/lexer.h"
#include "ptx/ptx.h"

enum {
  PTX_MAX_DEPTH = 64,                   // of nested operands, expressions and initialisers
  PTX_MAX_SCOPES = 4096,                // nested { } of a body
  PTX_MAX_SOURCE_BYTES = 1 << 30,       // so that all counts fit in 32 bits
  PTX_MAX_REGISTERS = 16 * 1024 * 1024, // of a function
  PTX_MAX_DIMENSIONS = 32,
};

#define PTX_MAX_VARIABLE_BYTES (UINT64_C(1) << 40)

typedef struct PtxParser {
  PtxModule *module;
  Arena *arena;
  DiagList *diags;
  PtxLexer lexer;
  PtxToken token;        // the next one, not consumed yet
  uint32_t previous_end; // end of the last consumed token
  uint32_t error_count;
  // Of the statement or item. One with a token that the lexer reported gets no second message.
  uint32_t statement_begin;
  uint32_t depth; // of operands and expressions
  // Operands whose list is still open; a finished list moves to the module.
  ARRAY(PtxOperand) stack;
  // Scopes of the body that is being parsed.
  ARRAY(uint32_t) open_scopes;
  uint32_t location; // .loc in force
  // Words that mean something in operands.
  Name sink, warp_size, generic;
} PtxParser;

// parser.c: tokens and errors
void ptx_begin_statement(PtxParser *parser);
void ptx_advance(PtxParser *parser);
bool ptx_accept(PtxParser *parser, uint32_t kind);
// `what` describes the expected thing, e.g. "';' behind the instruction".
bool ptx_expect(PtxParser *parser, uint32_t kind, const char *what);
bool ptx_error(PtxParser *parser, PtxSpan span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// "expected WHAT, found TOKEN" at the next token.
bool ptx_unexpected(PtxParser *parser, const char *what);
bool ptx_expect_name(PtxParser *parser, Name *name, const char *what);
bool ptx_expect_uint32(PtxParser *parser, uint32_t *value, const char *what);
bool ptx_token_is(const PtxParser *parser, const char *dot_name);
PtxSpan ptx_token_span(const PtxParser *parser);
PtxSpan ptx_span_from(const PtxParser *parser, uint32_t begin); // to the last consumed token
bool ptx_too_many_errors(const PtxParser *parser);
// Enters one level of nesting, or reports that there are too many.
bool ptx_enter(PtxParser *parser);
void ptx_leave(PtxParser *parser);
// Skips behind the next semicolon, or to a closing brace or the end of file.
void ptx_skip_statement(PtxParser *parser);

// parse_expression.c
// A constant expression, folded into `value`. With an operation: the expression begins with that
// unary operator, which was at `begin` and is consumed already.
bool ptx_parse_constant(PtxParser *parser, PtxOperand *operand);
bool ptx_parse_constant_behind(PtxParser *parser, PtxOperator operation, uint32_t begin,
                               PtxOperand *operand);
// A constant integer from 0 to `limit`; `what` says what it is.
bool ptx_parse_size(PtxParser *parser, uint64_t *value, uint64_t limit, const char *what);
// { + constant | - constant } behind a name: the sum.
bool ptx_parse_offset(PtxParser *parser, uint64_t *offset);

// fold.c
// requires: an EXPRESSION whose children are constants. leaves: its value and type.
// Returns false after a division by zero or an operator that does not fit.
bool ptx_fold_operand(PtxParser *parser, PtxOperand *operand);
bool ptx_is_floating(const PtxOperand *operand);

// parse_operand.c
bool ptx_parse_operand(PtxParser *parser, PtxOperand *operand, bool is_call);
bool ptx_parse_initializer(PtxParser *parser, PtxOperand *operand);
// A constant or a string, of a directive.
bool ptx_parse_argument(PtxParser *parser, PtxOperand *operand);
// Moves the operands above `mark` of the stack to the module.
PtxRange ptx_pop_operands(PtxParser *parser, uint32_t mark);
void ptx_push_operand(PtxParser *parser, PtxOperand operand);

// parse_variable.c
bool ptx_is_variable_start(const PtxParser *parser);
bool ptx_parse_linkage(PtxParser *parser, PtxLinkage *linkage);
// .attribute(...), any number of them.
bool ptx_parse_attributes(PtxParser *parser, PtxRange *attributes);
// A declaration up to its semicolon; the variables become module->variables[range].
bool ptx_parse_variables(PtxParser *parser, PtxLinkage linkage, uint32_t begin, PtxRange *range);
// ( .param ..., ... )
bool ptx_parse_parameters(PtxParser *parser, PtxRange *range);

// parse_function.c
bool ptx_parse_function(PtxParser *parser, PtxLinkage linkage, uint32_t begin);
// Directives with constant arguments, up to something else.
bool ptx_parse_directives(PtxParser *parser, PtxRange *directives);
bool ptx_parse_pragma(PtxParser *parser, uint32_t *directive);
bool ptx_parse_location(PtxParser *parser, uint32_t *location);

// parse_body.c
bool ptx_parse_body(PtxParser *parser, PtxFunction *function);

// resolve.c
// requires: a parsed module. leaves: every name of an operand with its reference and target,
// registers numbered, labels checked. Returns false if it reported something.
bool ptx_resolve_module(PtxModule *module, DiagList *diags);

// location.c
// requires: parsed locations. leaves: `parent` of each inlined one.
void ptx_link_locations(PtxModule *module);

// section.c
// Reads the labelled texts of a .debug_str section into module->debug_strings.
void ptx_read_debug_strings(PtxModule *module, const PtxSection *section);

#endif
