// The module: version and target, then declarations and directives in any order.
#include "ptx/parser.h"
#include "ptx/text.h"

#include <string.h>

// .version 8.5; the number is read from the text, not as a floating number.
static bool parse_version(PtxParser *parser) {
  PtxModule *module = parser->module;
  if (!ptx_token_is(parser, "version"))
    return ptx_unexpected(parser, "'.version' at the start of the module");
  ptx_advance(parser);
  const char *text = module->source->text + parser->token.begin;
  uint32_t length = parser->token.end - parser->token.begin, i = 0;
  uint32_t *part = &module->version_major;
  for (; parser->token.kind == TOKEN_FLOAT64 && i < length && length < 8; i++) {
    if (text[i] == '.')
      part = &module->version_minor;
    else if (text[i] >= '0' && text[i] <= '9')
      *part = 10 * *part + (uint32_t)(text[i] - '0');
    else
      break;
  }
  if (i < length || part != &module->version_minor)
    return ptx_unexpected(parser, "a version such as 8.5");
  ptx_advance(parser);
  return true;
}

static bool parse_target(PtxParser *parser) {
  if (!ptx_token_is(parser, "target"))
    return ptx_unexpected(parser, "'.target' behind the version");
  ptx_advance(parser);
  do {
    Name name;
    if (!ptx_expect_name(parser, &name, "a target such as sm_90"))
      return false;
    array_push(parser->arena, &parser->module->targets, name);
  } while (ptx_accept(parser, ','));
  return true;
}

static bool parse_address_size(PtxParser *parser) {
  PtxModule *module = parser->module;
  module->address_size = 64;
  if (!ptx_token_is(parser, "address_size"))
    return true;
  ptx_advance(parser);
  if (parser->token.kind != TOKEN_INTEGER ||
      (parser->token.value != 32 && parser->token.value != 64))
    return ptx_unexpected(parser, "an address size of 32 or 64");
  module->address_size = (uint32_t)parser->token.value;
  module->has_address_size = true;
  ptx_advance(parser);
  return true;
}

static void add_item(PtxParser *parser, PtxItemKind kind, uint32_t index) {
  array_push(parser->arena, &parser->module->items, (PtxItem){kind, index});
}

static bool parse_stamp(PtxParser *parser, PtxFile *file) {
  file->has_stamp = true;
  return ptx_parse_size(parser, &file->time, UINT64_MAX, "a time") &&
         ptx_expect(parser, ',', "',' between time and size") &&
         ptx_parse_size(parser, &file->size, UINT64_MAX, "a size");
}

// A file name as it was before the compiler wrote it as a string.
static Name unquote(PtxParser *parser, Name name) {
  size_t length;
  PtxTextBuilder builder = {.arena = parser->arena};
  ptx_add_unquoted(&builder, ptx_text(parser->module, name));
  const char *text = ptx_finish_text(&builder, &length);
  return names_intern(&parser->module->names, text, length);
}

static bool parse_file(PtxParser *parser) {
  PtxFile file = {0};
  uint32_t begin = parser->token.begin;
  ptx_advance(parser);
  if (!ptx_expect_uint32(parser, &file.number, "a file number"))
    return false;
  Name name = parser->token.name;
  if (!ptx_expect(parser, TOKEN_STRING, "a file name in quotes"))
    return false;
  file.name = unquote(parser, name);
  if (ptx_accept(parser, ',') && !parse_stamp(parser, &file))
    return false;
  file.span = ptx_span_from(parser, begin);
  add_item(parser, PTX_ITEM_FILE, parser->module->files.count);
  array_push(parser->arena, &parser->module->files, file);
  return true;
}

static bool parse_section(PtxParser *parser) {
  PtxModule *module = parser->module;
  uint32_t begin = parser->token.begin;
  ptx_advance(parser);
  PtxSection section = {.name = parser->token.name};
  if (!ptx_expect(parser, TOKEN_DOT_NAME, "the name of a section, such as '.debug_str'"))
    return false;
  if (parser->token.kind != '{')
    return ptx_unexpected(parser, "'{' before the data of the section");
  section.data.begin = parser->token.end;
  if (!ptx_skip_braces(&parser->lexer))
    return ptx_error(parser, ptx_token_span(parser),
                     "expected '}' to close this section, found end of file");
  section.data.end = parser->lexer.at - 1;
  section.span = (PtxSpan){begin, parser->lexer.at};
  ptx_advance(parser);
  ptx_read_debug_strings(module, &section);
  add_item(parser, PTX_ITEM_SECTION, module->sections.count);
  array_push(parser->arena, &module->sections, section);
  return true;
}

static bool parse_alias(PtxParser *parser) {
  PtxAlias alias = {.target = PTX_NONE};
  uint32_t begin = parser->token.begin;
  ptx_advance(parser);
  if (!ptx_expect_name(parser, &alias.name, "the name of the alias") ||
      !ptx_expect(parser, ',', "',' behind the alias") ||
      !ptx_expect_name(parser, &alias.target_name, "the function that the alias names") ||
      !ptx_expect(parser, ';', "';' behind the alias"))
    return false;
  alias.span = ptx_span_from(parser, begin);
  add_item(parser, PTX_ITEM_ALIAS, parser->module->aliases.count);
  array_push(parser->arena, &parser->module->aliases, alias);
  return true;
}

static bool parse_global_variables(PtxParser *parser, PtxLinkage linkage, uint32_t begin) {
  PtxRange range = {0};
  if (ptx_token_is(parser, "reg") || ptx_token_is(parser, "local"))
    return ptx_unexpected(parser, "a state space of module scope");
  if (!ptx_parse_variables(parser, linkage, begin, &range))
    return false;
  for (uint32_t i = 0; i < range.count; i++)
    add_item(parser, PTX_ITEM_VARIABLE, range.first + i);
  return true;
}

static bool parse_declaration(PtxParser *parser) {
  PtxLinkage linkage;
  uint32_t begin = parser->token.begin;
  if (!ptx_parse_linkage(parser, &linkage))
    return false;
  if (ptx_token_is(parser, "entry") || ptx_token_is(parser, "func"))
    return ptx_parse_function(parser, linkage, begin);
  if (ptx_is_variable_start(parser))
    return parse_global_variables(parser, linkage, begin);
  return ptx_unexpected(parser, linkage ? "a function or a variable behind the linkage"
                                        : "a declaration or a directive");
}

static bool parse_item(PtxParser *parser) {
  uint32_t index;
  if (ptx_token_is(parser, "file"))
    return parse_file(parser);
  if (ptx_token_is(parser, "section"))
    return parse_section(parser);
  if (ptx_token_is(parser, "alias"))
    return parse_alias(parser);
  if (ptx_token_is(parser, "pragma")) {
    if (!ptx_parse_pragma(parser, &index))
      return false;
    add_item(parser, PTX_ITEM_DIRECTIVE, index);
    return true;
  }
  if (ptx_token_is(parser, "loc")) {
    if (!ptx_parse_location(parser, &index))
      return false;
    add_item(parser, PTX_ITEM_LOCATION, index);
    return true;
  }
  if (ptx_token_is(parser, "version") || ptx_token_is(parser, "target") ||
      ptx_token_is(parser, "address_size"))
    return ptx_unexpected(parser,
                          "'.version', '.target' and '.address_size' once and in this order");
  return parse_declaration(parser);
}

// Can an item begin at this directive? State spaces occur inside of items, too.
static bool begins_item(const PtxParser *parser, bool is_behind_end) {
  if (parser->token.kind != TOKEN_DOT_NAME)
    return false;
  PtxWord word = ptx_word(parser->module, parser->token.name);
  bool is_variable = word.space == PTX_SPACE_GLOBAL || word.space == PTX_SPACE_CONST ||
                     word.space == PTX_SPACE_SHARED || word.space == PTX_SPACE_TEX;
  return word.linkage || (is_variable && is_behind_end) || ptx_token_is(parser, "entry") ||
         ptx_token_is(parser, "func") || ptx_token_is(parser, "file") ||
         ptx_token_is(parser, "section") || ptx_token_is(parser, "alias");
}

// Skips at least one token, over whole bodies, to where an item can begin.
static void skip_item(PtxParser *parser) {
  bool is_behind_end = false;
  if (parser->token.begin == parser->statement_begin && parser->token.kind != '{')
    ptx_advance(parser);
  while (parser->token.kind != TOKEN_END && !begins_item(parser, is_behind_end)) {
    if (parser->token.kind == '{')
      ptx_skip_braces(&parser->lexer);
    is_behind_end = parser->token.kind == ';' || parser->token.kind == '{';
    ptx_advance(parser);
  }
}

static void parse_items(PtxParser *parser) {
  while (parser->token.kind != TOKEN_END) {
    ptx_begin_statement(parser);
    if (!parse_item(parser))
      skip_item(parser);
  }
}

static Name intern(PtxModule *module, const char *text) {
  return names_intern(&module->names, text, strlen(text));
}

static void init_parser(PtxParser *parser, const Source *source, Arena *arena, DiagList *diags) {
  PtxModule *module = ARENA_NEW(arena, PtxModule);
  module->source = source;
  module->arena = arena;
  names_init(&module->names, arena);
  ptx_intern_words(module);
  *parser = (PtxParser){.module = module, .arena = arena, .diags = diags, .location = PTX_NONE};
  parser->statement_begin = UINT32_MAX;
  parser->sink = intern(module, "_");
  parser->warp_size = intern(module, "WARP_SZ");
  parser->generic = intern(module, "generic");
  parser->lexer = (PtxLexer){.source = source,
                             .end = source->length,
                             .names = &module->names,
                             .diags = diags,
                             .error_count = &parser->error_count};
}

PtxModule *ptx_parse_module(const Source *source, Arena *arena, DiagList *diags) {
  PtxParser parser;
  if (source->length > PTX_MAX_SOURCE_BYTES) {
    diag_syntax(diags, (Span){source, 0, 0}, "expected a module of at most %d bytes, found %u",
                PTX_MAX_SOURCE_BYTES, source->length);
    return NULL;
  }
  init_parser(&parser, source, arena, diags);
  parser.token = ptx_next_token(&parser.lexer);
  if (!parse_version(&parser) || !parse_target(&parser) || !parse_address_size(&parser))
    return NULL;
  parse_items(&parser);
  if (parser.error_count > 0 || !ptx_resolve_module(parser.module, diags))
    return NULL;
  ptx_link_locations(parser.module);
#ifndef NDEBUG
  ptx_module_check(parser.module);
#endif
  return parser.module;
}
