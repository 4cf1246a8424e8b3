// Headers of functions and kernels, the directives between header and body, .loc.
#include "ptx/parser.h"

#include <string.h>

static bool begins_argument(const PtxParser *parser) {
  uint32_t kind = parser->token.kind;
  return kind == TOKEN_INTEGER || kind == TOKEN_STRING || kind == '-' || kind == '(';
}

static bool parse_arguments(PtxParser *parser, PtxRange *arguments) {
  uint32_t mark = parser->stack.count;
  if (begins_argument(parser)) {
    do {
      PtxOperand argument;
      if (!ptx_parse_argument(parser, &argument))
        return false;
      ptx_push_operand(parser, argument);
    } while (ptx_accept(parser, ','));
  }
  *arguments = ptx_pop_operands(parser, mark);
  return true;
}

static bool wrong_count(PtxParser *parser, const PtxDirective *directive,
                        const PtxDirectiveRule *rule) {
  const char *most = "";
  if (rule->max_count > rule->min_count)
    most = arena_format(parser->arena, " to %u", rule->max_count);
  return ptx_error(parser, directive->span, "expected %u%s argument%s of '.%s', found %u",
                   rule->min_count, most, rule->max_count == 1 ? "" : "s", rule->name,
                   directive->arguments.count);
}

static bool check_directive(PtxParser *parser, const PtxDirective *directive) {
  const char *name = ptx_text(parser->module, directive->name);
  const PtxDirectiveRule *rule = ptx_find_directive(name);
  uint32_t count = directive->arguments.count;
  if (!rule) {
    diag_add(parser->diags, SEVERITY_WARNING, "syntax", ptx_span(parser->module, directive->span),
             "expected a known directive, found '.%s', which is kept", name);
    return true;
  }
  if (count < rule->min_count || count > rule->max_count)
    return wrong_count(parser, directive, rule);
  return !rule->has_semicolon || ptx_expect(parser, ';', "';' behind the directive");
}

static bool parse_directive(PtxParser *parser) {
  PtxDirective directive = {.name = parser->token.name};
  uint32_t begin = parser->token.begin;
  ptx_advance(parser);
  if (!parse_arguments(parser, &directive.arguments))
    return false;
  directive.span = ptx_span_from(parser, begin);
  if (!check_directive(parser, &directive))
    return false;
  array_push(parser->arena, &parser->module->directives, directive);
  return true;
}

// Does the token begin something that cannot be a directive of a header?
static bool begins_declaration(const PtxParser *parser) {
  PtxWord word = ptx_word(parser->module, parser->token.name);
  return word.space || word.linkage || ptx_token_is(parser, "entry") ||
         ptx_token_is(parser, "func") || ptx_token_is(parser, "loc");
}

bool ptx_parse_directives(PtxParser *parser, PtxRange *directives) {
  directives->first = parser->module->directives.count;
  while (parser->token.kind == TOKEN_DOT_NAME && !begins_declaration(parser))
    if (!parse_directive(parser))
      return false;
  directives->count = parser->module->directives.count - directives->first;
  return true;
}

bool ptx_parse_pragma(PtxParser *parser, uint32_t *directive) {
  *directive = parser->module->directives.count;
  return parse_directive(parser);
}

// function_name label [+ offset]
static bool parse_function_name(PtxParser *parser, PtxLocation *location) {
  ptx_advance(parser);
  if (!ptx_expect_name(parser, &location->function_name, "a label behind 'function_name'"))
    return false;
  return ptx_parse_offset(parser, &location->function_offset);
}

static bool parse_place(PtxParser *parser, uint32_t *file, uint32_t *line, uint32_t *column) {
  return ptx_expect_uint32(parser, file, "a file number") &&
         ptx_expect_uint32(parser, line, "a line number") &&
         ptx_expect_uint32(parser, column, "a column");
}

static bool name_is(const PtxParser *parser, const char *text) {
  return parser->token.kind == TOKEN_NAME &&
         strcmp(ptx_text(parser->module, parser->token.name), text) == 0;
}

// , function_name ... , inlined_at ...   in either order.
static bool parse_location_options(PtxParser *parser, PtxLocation *location) {
  while (ptx_accept(parser, ',')) {
    if (name_is(parser, "function_name")) {
      if (!parse_function_name(parser, location))
        return false;
    } else if (name_is(parser, "inlined_at")) {
      ptx_advance(parser);
      location->is_inlined = true;
      if (!parse_place(parser, &location->inlined_file, &location->inlined_line,
                       &location->inlined_column))
        return false;
    } else {
      return ptx_unexpected(parser, "'function_name' or 'inlined_at'");
    }
  }
  return true;
}

bool ptx_parse_location(PtxParser *parser, uint32_t *index) {
  PtxLocation location = {.parent = PTX_NONE};
  uint32_t begin = parser->token.begin;
  ptx_advance(parser);
  if (!parse_place(parser, &location.file, &location.line, &location.column) ||
      !parse_location_options(parser, &location))
    return false;
  location.span = ptx_span_from(parser, begin);
  *index = parser->module->locations.count;
  array_push(parser->arena, &parser->module->locations, location);
  return true;
}

// From behind .func or .entry to before the body.
static bool parse_header(PtxParser *parser, PtxFunction *function) {
  if (!ptx_parse_attributes(parser, &function->attributes))
    return false;
  if (!function->is_entry && parser->token.kind == '(' &&
      !ptx_parse_parameters(parser, &function->returns))
    return false;
  function->name_span = ptx_token_span(parser);
  if (!ptx_expect_name(parser, &function->name,
                       function->is_entry ? "the name of the kernel" : "the name of the function"))
    return false;
  if (parser->token.kind == '(' && !ptx_parse_parameters(parser, &function->parameters))
    return false;
  return ptx_parse_directives(parser, &function->directives);
}

bool ptx_parse_function(PtxParser *parser, PtxLinkage linkage, uint32_t begin) {
  PtxModule *module = parser->module;
  PtxFunction function = {.linkage = (uint8_t)linkage,
                          .is_entry = ptx_token_is(parser, "entry"),
                          .definition = module->functions.count};
  parser->location = PTX_NONE;
  ptx_advance(parser);
  if (!parse_header(parser, &function))
    return false;
  if (!ptx_accept(parser, ';') && !ptx_parse_body(parser, &function))
    return false;
  function.span = ptx_span_from(parser, begin);
  array_push(parser->arena, &module->items, (PtxItem){PTX_ITEM_FUNCTION, module->functions.count});
  array_push(parser->arena, &module->functions, function);
  return true;
}
