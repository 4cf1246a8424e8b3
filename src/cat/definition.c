// `let` and `let rec`.
#include "cat/compiler.h"

static void name_node(CatCompiler *compiler, Name name, CatValue value) {
  if (value.kind != CAT_VALUE_NODE)
    return;
  CatNodeName entry = {value.node, names_text(&compiler->names, name)};
  array_push(compiler->arena, &compiler->model->node_names, entry);
}

static CatValue compile_binding(CatCompiler *compiler, const CatScope *scope,
                                const CatBinding *binding) {
  if (binding->is_function)
    return (CatValue){.kind = CAT_VALUE_FUNCTION, .function = binding, .scope = scope};
  CatValue value = cat_compile_expression(compiler, scope, binding->body);
  name_node(compiler, binding->name, value);
  return value;
}

// The names of one `let` see what was defined before it, not each other.
static const CatScope *compile_plain(CatCompiler *compiler, const CatScope *scope,
                                     const CatDefinition *definition) {
  const CatScope *extended = scope;
  for (uint32_t i = 0; i < definition->bindings.count; i++) {
    const CatBinding *binding = &definition->bindings.items[i];
    CatValue value = compile_binding(compiler, scope, binding);
    extended = cat_scope_add(compiler, extended, binding->name, value);
  }
  return extended;
}

typedef enum GuessedType { GUESS_UNKNOWN, GUESS_SET, GUESS_RELATION } GuessedType;

static GuessedType guess_from_scope(const CatCompiler *compiler, const CatScope *scope, Name name) {
  for (; scope; scope = scope->outer)
    if (scope->name == name) {
      if (scope->value.kind != CAT_VALUE_NODE)
        return GUESS_UNKNOWN;
      CatType type = cat_operation(&compiler->model->graph, scope->value.node)->type;
      return type == CAT_SET ? GUESS_SET : GUESS_RELATION;
    }
  return GUESS_UNKNOWN;
}

static GuessedType guess_application(const CatScope *scope, Name name) {
  for (; scope; scope = scope->outer)
    if (scope->name == name) {
      if (scope->value.kind != CAT_VALUE_BUILTIN)
        return GUESS_UNKNOWN;
      return scope->value.builtin == CAT_BUILTIN_TOID ? GUESS_RELATION : GUESS_SET;
    }
  return GUESS_UNKNOWN;
}

// The type that a recursive definition's body will have, before its own name has one. It is looked
// for in the operators and in names that are known already.
static GuessedType guess_type(const CatCompiler *compiler, const CatScope *scope,
                              const CatExpression *expression) {
  switch (expression->kind) {
  case CAT_NAME:
    return guess_from_scope(compiler, scope, expression->name);
  case CAT_APPLICATION:
    return guess_application(scope, expression->name);
  case CAT_NOTHING:
    return GUESS_UNKNOWN;
  case CAT_UNION:
  case CAT_INTERSECTION:
  case CAT_DIFFERENCE:
  case CAT_COMPLEMENT:
  case CAT_LOCAL: {
    GuessedType type = GUESS_UNKNOWN;
    for (uint32_t i = 0; i < expression->operands.count && type == GUESS_UNKNOWN; i++)
      type = guess_type(compiler, scope, expression->operands.items[i]);
    return type;
  }
  default:
    return GUESS_RELATION;
  }
}

// The scope without the names that the definition gives a new meaning.
static const CatScope *hide_names(CatCompiler *compiler, const CatScope *scope,
                                  const CatDefinition *definition) {
  for (uint32_t i = 0; i < definition->bindings.count; i++)
    scope = cat_scope_add(compiler, scope, definition->bindings.items[i].name,
                          (CatValue){.kind = CAT_VALUE_ERROR});
  return scope;
}

// False, and reported, if this `let rec` cannot be compiled.
static bool check_recursive(CatCompiler *compiler, const CatDefinition *definition) {
  for (uint32_t i = 0; i < definition->bindings.count; i++)
    if (definition->bindings.items[i].is_function) {
      cat_error(compiler->errors, definition->bindings.items[i].span,
                "recursive functions are not supported: expected '=', found a parameter");
      return false;
    }
  if (compiler->model->graph.open_loops.count < CAT_LOOP_DEPTH_LIMIT)
    return true;
  cat_error(compiler->errors, definition->bindings.items[0].span,
            "'let rec' nested more than %d deep", CAT_LOOP_DEPTH_LIMIT);
  return false;
}

// Opens a loop with one variable for each name, and returns the scope in which the names are these.
static const CatScope *add_variables(CatCompiler *compiler, const CatScope *scope,
                                     const CatDefinition *definition) {
  CatGraph *graph = &compiler->model->graph;
  const CatScope *hidden = hide_names(compiler, scope, definition);
  cat_graph_open_loop(graph);
  for (uint32_t i = 0; i < definition->bindings.count; i++) {
    const CatBinding *binding = &definition->bindings.items[i];
    bool is_set = guess_type(compiler, hidden, binding->body) == GUESS_SET;
    CatNode variable = cat_graph_variable(graph, is_set ? CAT_SET : CAT_RELATION);
    CatValue value = {.kind = CAT_VALUE_NODE, .node = variable};
    scope = cat_scope_add(compiler, scope, binding->name, value);
    name_node(compiler, binding->name, value);
  }
  return scope;
}

// After a mistake in the body the variable stands for itself, so that the loop can be closed.
static CatNode compile_body(CatCompiler *compiler, const CatScope *scope, const CatBinding *binding,
                            CatNode variable) {
  CatNode result = variable;
  CatType type = cat_operation(&compiler->model->graph, variable)->type;
  CatValue value = cat_compile_expression(compiler, scope, binding->body);
  cat_value_node(compiler, value, type, binding->body->span, &result);
  return result;
}

// The least solution: the variables start empty and grow until nothing changes.
static const CatScope *compile_recursive(CatCompiler *compiler, const CatScope *scope,
                                         const CatDefinition *definition) {
  CatGraph *graph = &compiler->model->graph;
  if (!check_recursive(compiler, definition))
    return hide_names(compiler, scope, definition);
  const CatScope *inner = add_variables(compiler, scope, definition);
  uint32_t count = definition->bindings.count;
  uint32_t loop = graph->open_loops.items[graph->open_loops.count - 1];
  CatNode *results = ARENA_ARRAY(compiler->arena, CatNode, count);
  for (uint32_t i = 0; i < count; i++)
    results[i] = compile_body(compiler, inner, &definition->bindings.items[i],
                              graph->loops.items[loop].variables.items[i]);
  if (!cat_graph_close_loop(graph, results))
    cat_error(
        compiler->errors, definition->bindings.items[0].span,
        "no least solution of '%.60s': expected no recursive use under '~' or on the right of '\\'",
        names_text(&compiler->names, definition->bindings.items[0].name));
  return inner;
}

const CatScope *cat_compile_definition(CatCompiler *compiler, const CatScope *scope,
                                       const CatDefinition *definition) {
  return definition->is_recursive ? compile_recursive(compiler, scope, definition)
                                  : compile_plain(compiler, scope, definition);
}
