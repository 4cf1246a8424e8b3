// A whole model: the prelude, then the statements of the text and of the files that it includes.
#include "cat/compiler.h"
#include "cat/parser.h"
#include "cat/prelude.h"

#include <assert.h>
#include <string.h>

enum { INCLUDE_DEPTH_LIMIT = 16, INCLUDE_COUNT_LIMIT = 200 };

// The texts being compiled, from the one that includes to the one that was included first.
typedef struct Includer {
  const Source *source;
  uint32_t depth;
  const struct Includer *outer;
} Includer;

static void compile_text(CatCompiler *compiler, const Source *source, const Includer *outer);

// The primitives' nodes come first, and have their indices as numbers.
static void add_primitives(CatCompiler *compiler) {
  CatGraph *graph = &compiler->model->graph;
  for (uint32_t i = 0; i < graph->primitive_count; i++) {
    const char *name = graph->primitives[i].name;
    CatValue value = {.kind = CAT_VALUE_NODE, .node = cat_graph_primitive(graph, i)};
    assert(value.node == i);
    compiler->scope = cat_scope_add(compiler, compiler->scope,
                                    names_intern(&compiler->names, name, strlen(name)), value);
  }
}

static void add_builtin(CatCompiler *compiler, const char *name, CatValue value) {
  compiler->scope = cat_scope_add(compiler, compiler->scope,
                                  names_intern(&compiler->names, name, strlen(name)), value);
}

static void add_builtins(CatCompiler *compiler) {
  static const struct {
    const char *name;
    CatBuiltin builtin;
  } builtins[] = {
      {"domain", CAT_BUILTIN_DOMAIN}, {"range", CAT_BUILTIN_RANGE}, {"toid", CAT_BUILTIN_TOID}};
  for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
    add_builtin(compiler, builtins[i].name,
                (CatValue){.kind = CAT_VALUE_BUILTIN, .builtin = builtins[i].builtin});
  CatNode everything = cat_graph_everything(&compiler->model->graph);
  add_builtin(compiler, "_", (CatValue){.kind = CAT_VALUE_NODE, .node = everything});
}

static bool is_known(const CatCompiler *compiler, Name name) {
  for (const CatScope *scope = compiler->scope; scope; scope = scope->outer)
    if (scope->name == name)
      return true;
  return false;
}

// Defines what the engine does not supply itself and what can be defined with what it supplies.
static void add_prelude(CatCompiler *compiler) {
  CatErrors *errors = compiler->errors;
  DiagList ignored;
  CatErrors prelude_errors;
  diag_list_init(&ignored, compiler->arena);
  cat_errors_init(&prelude_errors, &ignored);
  CatSyntax *syntax =
      cat_parse_syntax(cat_prelude(), &prelude_errors, &compiler->names, compiler->arena);
  assert(prelude_errors.count == 0);
  compiler->errors = &prelude_errors;
  for (uint32_t i = 0; i < syntax->statements.count; i++) {
    const CatDefinition *definition = syntax->statements.items[i].definition;
    if (is_known(compiler, definition->bindings.items[0].name))
      continue;
    cat_errors_init(&prelude_errors, &ignored);
    const CatScope *extended = cat_compile_definition(compiler, compiler->scope, definition);
    if (prelude_errors.count == 0)
      compiler->scope = extended;
  }
  compiler->errors = errors;
}

static const char *included_name(CatCompiler *compiler, Span string) {
  return arena_copy_text(compiler->arena, string.source->text + string.begin + 1,
                         string.end - string.begin - 2);
}

static bool is_including(const Includer *includer, const Source *source) {
  for (; includer; includer = includer->outer)
    if (strcmp(includer->source->name, source->name) == 0)
      return true;
  return false;
}

static void compile_include(CatCompiler *compiler, Span string, const Includer *includer) {
  const char *name = included_name(compiler, string);
  const Source *source =
      compiler->load ? compiler->load(compiler->load_context, name, includer->source) : NULL;
  if (!source && cat_prelude_covers(name))
    return;
  if (!source)
    cat_error(compiler->errors, string, "cannot find '%.100s'", name);
  else if (is_including(includer, source))
    cat_error(compiler->errors, string, "'%.100s' includes itself", name);
  else if (includer->depth == INCLUDE_DEPTH_LIMIT)
    cat_error_limit(compiler->errors, string, "includes nested more than %d deep",
                    INCLUDE_DEPTH_LIMIT);
  else if (compiler->include_count++ == INCLUDE_COUNT_LIMIT)
    cat_error_limit(compiler->errors, string, "more than %d includes", INCLUDE_COUNT_LIMIT);
  else
    compile_text(compiler, source, includer);
}

static void compile_axiom(CatCompiler *compiler, const CatStatement *statement) {
  CatGraph *graph = &compiler->model->graph;
  CatAxiom axiom = statement->axiom;
  CatValue value = cat_compile_expression(compiler, compiler->scope, statement->body);
  CatType type = CAT_RELATION;
  // A set can be empty, but has no cycles.
  if (axiom.kind == CAT_EMPTY && value.kind == CAT_VALUE_NODE)
    type = cat_operation(graph, value.node)->type;
  if (!cat_value_node(compiler, value, type, statement->body->span, &axiom.node))
    return;
  array_push(compiler->arena, &compiler->model->axioms, axiom);
}

static void compile_statement(CatCompiler *compiler, const CatStatement *statement,
                              const Includer *includer) {
  switch (statement->kind) {
  case CAT_STATEMENT_LET:
    compiler->scope = cat_compile_definition(compiler, compiler->scope, statement->definition);
    break;
  case CAT_STATEMENT_INCLUDE:
    compile_include(compiler, statement->span, includer);
    break;
  case CAT_STATEMENT_AXIOM:
    compile_axiom(compiler, statement);
    break;
  }
}

// A text that does not parse is not compiled: its missing definitions would only cause more errors.
static void compile_text(CatCompiler *compiler, const Source *source, const Includer *outer) {
  Includer includer = {source, outer ? outer->depth + 1 : 0, outer};
  uint32_t error_count = compiler->errors->count;
  CatSyntax *syntax = cat_parse_syntax(source, compiler->errors, &compiler->names, compiler->arena);
  if (!compiler->model->title)
    compiler->model->title = syntax->title;
  if (compiler->errors->count > error_count)
    return;
  for (uint32_t i = 0; i < syntax->statements.count && !compiler->errors->is_stopped; i++)
    compile_statement(compiler, &syntax->statements.items[i], &includer);
}

CatModel *cat_parse(const Source *source, const CatPrimitive *primitives, uint32_t primitive_count,
                    CatLoad *load, void *load_context, Arena *arena, DiagList *diags) {
  CatErrors errors;
  CatModel *model = ARENA_NEW(arena, CatModel);
  CatCompiler compiler = {.arena = arena,
                          .errors = &errors,
                          .model = model,
                          .load = load,
                          .load_context = load_context};
  cat_errors_init(&errors, diags);
  names_init(&compiler.names, arena);
  cat_graph_init(&model->graph, primitives, primitive_count, arena);
  add_primitives(&compiler);
  add_builtins(&compiler);
  add_prelude(&compiler);
  compile_text(&compiler, source, NULL);
  if (errors.count > 0)
    return NULL;
  if (model->axioms.count == 0)
    diag_add(diags, SEVERITY_WARNING, "syntax", (Span){source, source->length, source->length},
             "no axiom found: this model allows every execution");
  cat_program_finish(model);
  return model;
}
