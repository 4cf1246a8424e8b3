#include "cat/parser.h"

enum { AXIOM_NAME_BYTES = 48 }; // of an axiom that is named after its text

void cat_parser_advance(CatParser *parser) {
  parser->last_end = parser->token.span.end;
  parser->token = parser->ahead;
  parser->ahead = cat_lexer_next(&parser->lexer);
}

bool cat_parser_accept(CatParser *parser, CatTokenKind kind) {
  if (parser->token.kind != kind)
    return false;
  cat_parser_advance(parser);
  return true;
}

void cat_parser_report(CatParser *parser, const char *wanted) {
  cat_token_report(&parser->token, wanted, parser->errors);
}

bool cat_parser_expect(CatParser *parser, CatTokenKind kind, const char *wanted) {
  if (cat_parser_accept(parser, kind))
    return true;
  cat_parser_report(parser, wanted);
  return false;
}

Name cat_parser_name(CatParser *parser, Span span) {
  return names_intern(parser->names, span.source->text + span.begin, span.end - span.begin);
}

static bool parse_new_name(CatParser *parser, const char *wanted, Name *name) {
  Span span = parser->token.span;
  if (!cat_parser_expect(parser, CAT_TOKEN_NAME, wanted))
    return false;
  *name = cat_parser_name(parser, span);
  return true;
}

static bool is_parameter(const CatBinding *binding, Name name) {
  for (uint32_t i = 0; i < binding->parameters.count; i++)
    if (binding->parameters.items[i] == name)
      return true;
  return false;
}

static bool parse_parameter(CatParser *parser, CatBinding *binding) {
  Span span = parser->token.span;
  Name name = 0;
  if (!parse_new_name(parser, "a parameter name", &name))
    return false;
  if (is_parameter(binding, name)) {
    cat_error(parser->errors, span, "parameter '%s' is named twice",
              names_text(parser->names, name));
    return false;
  }
  array_push(parser->arena, &binding->parameters, name);
  return true;
}

// `(a, b)`, `()` or one name; nothing for an ordinary definition.
static bool parse_parameters(CatParser *parser, CatBinding *binding) {
  binding->is_function = parser->token.kind != CAT_TOKEN_EQUALS;
  if (parser->token.kind == CAT_TOKEN_NAME)
    return parse_parameter(parser, binding);
  if (!cat_parser_accept(parser, CAT_TOKEN_LEFT_PARENTHESIS))
    return true;
  if (cat_parser_accept(parser, CAT_TOKEN_RIGHT_PARENTHESIS))
    return true;
  do
    if (!parse_parameter(parser, binding))
      return false;
  while (cat_parser_accept(parser, CAT_TOKEN_COMMA));
  return cat_parser_expect(parser, CAT_TOKEN_RIGHT_PARENTHESIS, "',' or ')' after a parameter");
}

static bool parse_binding(CatParser *parser, CatBinding *binding) {
  binding->span = parser->token.span;
  if (!parse_new_name(parser, "a name to define", &binding->name) ||
      !parse_parameters(parser, binding) ||
      !cat_parser_expect(parser, CAT_TOKEN_EQUALS, "'=' in a definition"))
    return false;
  binding->body = cat_parse_expression(parser);
  return binding->body != NULL;
}

static bool defines(const CatDefinition *definition, Name name) {
  for (uint32_t i = 0; i < definition->bindings.count; i++)
    if (definition->bindings.items[i].name == name)
      return true;
  return false;
}

const CatDefinition *cat_parse_definition(CatParser *parser) {
  CatDefinition *definition = ARENA_NEW(parser->arena, CatDefinition);
  cat_parser_advance(parser);
  definition->is_recursive = cat_parser_accept(parser, CAT_TOKEN_REC);
  do {
    CatBinding binding = {0};
    if (!parse_binding(parser, &binding))
      return NULL;
    if (defines(definition, binding.name))
      cat_error(parser->errors, binding.span, "'%s' is defined twice in one 'let'",
                names_text(parser->names, binding.name));
    array_push(parser->arena, &definition->bindings, binding);
  } while (cat_parser_accept(parser, CAT_TOKEN_AND));
  return definition;
}

static bool parse_let(CatParser *parser, CatStatement *statement) {
  statement->kind = CAT_STATEMENT_LET;
  statement->definition = cat_parse_definition(parser);
  return statement->definition != NULL;
}

static bool parse_include(CatParser *parser, CatStatement *statement) {
  cat_parser_advance(parser);
  statement->kind = CAT_STATEMENT_INCLUDE;
  statement->span = parser->token.span;
  return cat_parser_expect(parser, CAT_TOKEN_STRING, "a file name in quotes after 'include'");
}

// The source text of an axiom without a name, cut, its white space folded.
static const char *name_after_text(CatParser *parser, Span span) {
  char text[AXIOM_NAME_BYTES + 1];
  uint32_t length = 0;
  bool is_blank = false;
  for (uint32_t i = span.begin; i < span.end && length < AXIOM_NAME_BYTES; i++) {
    char c = span.source->text[i];
    if (c > ' ' && is_blank && length < AXIOM_NAME_BYTES - 1)
      text[length++] = ' ';
    if (c > ' ')
      text[length++] = c;
    is_blank = c <= ' ';
  }
  return arena_copy_text(parser->arena, text, length);
}

static bool parse_axiom_kind(CatParser *parser, CatAxiomKind *kind) {
  switch (parser->token.kind) {
  case CAT_TOKEN_ACYCLIC:
    *kind = CAT_ACYCLIC;
    break;
  case CAT_TOKEN_IRREFLEXIVE:
    *kind = CAT_IRREFLEXIVE;
    break;
  case CAT_TOKEN_EMPTY:
    *kind = CAT_EMPTY;
    break;
  default:
    cat_parser_report(parser, "'acyclic', 'irreflexive' or 'empty'");
    return false;
  }
  cat_parser_advance(parser);
  return true;
}

static bool parse_axiom_name(CatParser *parser, CatStatement *statement) {
  statement->axiom.span = statement->span;
  statement->axiom.span.end = parser->last_end;
  statement->axiom.name = name_after_text(parser, statement->axiom.span);
  if (!cat_parser_accept(parser, CAT_TOKEN_AS))
    return true;
  Span span = parser->token.span;
  if (!cat_parser_expect(parser, CAT_TOKEN_NAME, "a name after 'as'"))
    return false;
  statement->axiom.name = names_text(parser->names, cat_parser_name(parser, span));
  return true;
}

// [flag | undefined_unless] [~] acyclic|irreflexive|empty expression [as name]. What
// `undefined_unless` demands is flagged when it does not hold.
static bool parse_axiom(CatParser *parser, CatStatement *statement) {
  CatAxiom *axiom = &statement->axiom;
  statement->kind = CAT_STATEMENT_AXIOM;
  statement->span = parser->token.span;
  if (cat_parser_accept(parser, CAT_TOKEN_UNDEFINED_UNLESS))
    axiom->is_flag = axiom->is_negated = true;
  else if (cat_parser_accept(parser, CAT_TOKEN_FLAG))
    axiom->is_flag = true;
  for (; cat_parser_accept(parser, CAT_TOKEN_TILDE); axiom->is_negated = !axiom->is_negated)
    continue;
  if (!parse_axiom_kind(parser, &axiom->kind))
    return false;
  statement->body = cat_parse_expression(parser);
  return statement->body && parse_axiom_name(parser, statement);
}

// `show` and `unshow` say what herd draws: the syntax is checked, the meaning ignored.
static bool skip_show(CatParser *parser) {
  cat_parser_advance(parser);
  do {
    if (!cat_parse_expression(parser))
      return false;
    if (cat_parser_accept(parser, CAT_TOKEN_AS) &&
        !cat_parser_expect(parser, CAT_TOKEN_NAME, "a name after 'as'"))
      return false;
  } while (cat_parser_accept(parser, CAT_TOKEN_COMMA));
  return true;
}

static bool begins_statement(CatTokenKind kind) {
  switch (kind) {
  case CAT_TOKEN_LET:
  case CAT_TOKEN_INCLUDE:
  case CAT_TOKEN_ACYCLIC:
  case CAT_TOKEN_IRREFLEXIVE:
  case CAT_TOKEN_EMPTY:
  case CAT_TOKEN_FLAG:
  case CAT_TOKEN_UNDEFINED_UNLESS:
  case CAT_TOKEN_SHOW:
  case CAT_TOKEN_UNSHOW:
    return true;
  default:
    return false;
  }
}

// Consumes one statement; false after a mistake. `show` leaves no statement behind.
static bool parse_statement(CatParser *parser, CatSyntax *syntax) {
  CatStatement statement = {0};
  bool is_ok;
  switch (parser->token.kind) {
  case CAT_TOKEN_SHOW:
  case CAT_TOKEN_UNSHOW:
    return skip_show(parser);
  case CAT_TOKEN_LET:
    is_ok = parse_let(parser, &statement);
    break;
  case CAT_TOKEN_INCLUDE:
    is_ok = parse_include(parser, &statement);
    break;
  default:
    is_ok = parse_axiom(parser, &statement);
    break;
  }
  if (is_ok)
    array_push(parser->arena, &syntax->statements, statement);
  return is_ok;
}

// Goes on at the next word that begins a statement.
static void recover(CatParser *parser) {
  while (parser->token.kind != CAT_TOKEN_END && !begins_statement(parser->token.kind))
    cat_parser_advance(parser);
}

// A text may begin with a string or a single name, its title. A name that something else than a
// statement follows is rather a misspelt keyword.
static const char *parse_title(CatParser *parser) {
  Span span = parser->token.span;
  CatTokenKind next = parser->ahead.kind;
  bool is_name = next == CAT_TOKEN_END || next == CAT_TOKEN_TILDE || begins_statement(next);
  if (is_name && cat_parser_accept(parser, CAT_TOKEN_NAME))
    return arena_copy_text(parser->arena, span.source->text + span.begin, span.end - span.begin);
  if (!cat_parser_accept(parser, CAT_TOKEN_STRING))
    return NULL;
  uint32_t end = span.source->text[span.end - 1] == '"' ? span.end - 1 : span.end;
  uint32_t begin = span.begin + 1;
  return arena_copy_text(parser->arena, span.source->text + begin, end > begin ? end - begin : 0);
}

CatSyntax *cat_parse_syntax(const Source *source, CatErrors *errors, NameTable *names,
                            Arena *arena) {
  CatSyntax *syntax = ARENA_NEW(arena, CatSyntax);
  CatParser parser = {.errors = errors, .names = names, .arena = arena};
  cat_lexer_init(&parser.lexer, source, errors);
  parser.token = cat_lexer_next(&parser.lexer);
  parser.ahead = cat_lexer_next(&parser.lexer);
  syntax->title = parse_title(&parser);
  while (parser.token.kind != CAT_TOKEN_END)
    if (begins_statement(parser.token.kind) || parser.token.kind == CAT_TOKEN_TILDE) {
      if (!parse_statement(&parser, syntax))
        recover(&parser);
    } else {
      cat_parser_report(&parser, "a statement: 'let', 'include', 'show' or an axiom");
      cat_parser_advance(&parser);
      recover(&parser);
    }
  return syntax;
}
