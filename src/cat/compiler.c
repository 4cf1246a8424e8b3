#include "cat/compiler.h"

#include <assert.h>

// A text of a few lines can describe a model of any size, through functions that call functions
// twice. These limits are far above what real models need, and keep time and memory bounded.
enum {
  STEP_LIMIT = 100000,
  LOOK_LIMIT = 20000000,
  OPERATION_LIMIT = 10000,
  DEPTH_LIMIT = 600,
  NOTED_CALLS = 3, // in an error message, innermost first
};

const CatScope *cat_scope_add(CatCompiler *compiler, const CatScope *scope, Name name,
                              CatValue value) {
  CatScope *extended = ARENA_NEW(compiler->arena, CatScope);
  *extended = (CatScope){.name = name, .value = value, .outer = scope};
  return extended;
}

static CatValue node_value(CatNode node) {
  return (CatValue){.kind = CAT_VALUE_NODE, .node = node};
}

static CatValue error_value(void) {
  return (CatValue){.kind = CAT_VALUE_ERROR};
}

static bool is_error(CatValue value) {
  return value.kind == CAT_VALUE_ERROR;
}

// Adds to a message how the compiler got there. Returns an error value for the caller to return.
static CatValue note_calls(CatCompiler *compiler, Diag *diag) {
  const CatCall *call = compiler->call;
  for (int i = 0; diag && call && i < NOTED_CALLS; i++, call = call->outer)
    diag_note(compiler->errors->diags, diag, call->span, "in this call of '%.40s'",
              names_text(&compiler->names, call->function));
  return error_value();
}

static const char *describe_type(CatType type) {
  return type == CAT_SET ? "a set" : "a relation";
}

static const char *describe_value(const CatCompiler *compiler, CatValue value) {
  if (value.kind == CAT_VALUE_NODE)
    return describe_type(cat_operation(&compiler->model->graph, value.node)->type);
  return value.kind == CAT_VALUE_NOTHING ? "the empty set" : "a function";
}

bool cat_value_node(CatCompiler *compiler, CatValue value, CatType type, Span span, CatNode *node) {
  CatGraph *graph = &compiler->model->graph;
  if (is_error(value))
    return false;
  if (value.kind == CAT_VALUE_NOTHING) {
    *node = cat_graph_nothing(graph, type);
    return true;
  }
  if (value.kind == CAT_VALUE_NODE && cat_operation(graph, value.node)->type == type) {
    *node = value.node;
    return true;
  }
  note_calls(compiler, cat_error(compiler->errors, span, "expected %s, found %s",
                                 describe_type(type), describe_value(compiler, value)));
  return false;
}

static const CatExpression *operand(const CatExpression *expression, uint32_t i) {
  return expression->operands.items[i];
}

static CatValue compile_operand(CatCompiler *compiler, const CatScope *scope,
                                const CatExpression *expression, uint32_t i) {
  return cat_compile_expression(compiler, scope, operand(expression, i));
}

// Operand `i`, which has to be of the type; false after a mistake.
static bool compile_typed(CatCompiler *compiler, const CatScope *scope,
                          const CatExpression *expression, uint32_t i, CatType type,
                          CatNode *node) {
  CatValue value = compile_operand(compiler, scope, expression, i);
  return cat_value_node(compiler, value, type, operand(expression, i)->span, node);
}

static CatValue compile_name(CatCompiler *compiler, const CatScope *scope, Name name, Span span) {
  for (; scope; scope = scope->outer, compiler->look_count++)
    if (scope->name == name)
      return scope->value;
  return note_calls(compiler, cat_error(compiler->errors, span, "unknown name '%.60s'",
                                        names_text(&compiler->names, name)));
}

typedef CatNode Combine(CatGraph *graph, CatNode a, CatNode b);

// `left operator right` for the operators that take two sets or two relations.
static CatValue combine_values(CatCompiler *compiler, Combine *combine, CatValue left,
                               CatValue right, const CatExpression *left_operand,
                               const CatExpression *right_operand) {
  CatGraph *graph = &compiler->model->graph;
  if (is_error(left) || is_error(right))
    return error_value();
  if (left.kind == CAT_VALUE_NOTHING && right.kind == CAT_VALUE_NOTHING)
    return left;
  // The type is that of the first operand that has one.
  CatValue typed = left.kind == CAT_VALUE_NODE ? left : right;
  CatType type =
      typed.kind == CAT_VALUE_NODE ? cat_operation(graph, typed.node)->type : CAT_RELATION;
  CatNode a, b;
  if (!cat_value_node(compiler, left, type, left_operand->span, &a) ||
      !cat_value_node(compiler, right, type, right_operand->span, &b))
    return error_value();
  return node_value(combine(graph, a, b));
}

// All operands are looked at, so that each mistake in them is told.
static CatValue compile_chain(CatCompiler *compiler, const CatScope *scope,
                              const CatExpression *expression, Combine *combine) {
  CatValue result = compile_operand(compiler, scope, expression, 0);
  for (uint32_t i = 1; i < expression->operands.count; i++) {
    CatValue next = compile_operand(compiler, scope, expression, i);
    result = combine_values(compiler, combine, result, next, operand(expression, i - 1),
                            operand(expression, i));
  }
  return result;
}

// The same for operators whose operands all have the given type.
static CatValue compile_typed_chain(CatCompiler *compiler, const CatScope *scope,
                                    const CatExpression *expression, CatType type,
                                    Combine *combine) {
  CatNode result = 0;
  bool is_ok = compile_typed(compiler, scope, expression, 0, type, &result);
  for (uint32_t i = 1; i < expression->operands.count; i++) {
    CatNode next = 0;
    is_ok &= compile_typed(compiler, scope, expression, i, type, &next);
    if (is_ok)
      result = combine(&compiler->model->graph, result, next);
  }
  return is_ok ? node_value(result) : error_value();
}

typedef CatNode Transform(CatGraph *graph, CatNode a);

static CatValue compile_unary(CatCompiler *compiler, const CatScope *scope,
                              const CatExpression *expression, CatType type, Transform *transform) {
  CatNode node;
  if (!compile_typed(compiler, scope, expression, 0, type, &node))
    return error_value();
  return node_value(transform(&compiler->model->graph, node));
}

static CatNode reflexive_transitive(CatGraph *graph, CatNode a) {
  return cat_graph_reflexive(graph, cat_graph_transitive(graph, a));
}

static CatValue compile_complement(CatCompiler *compiler, const CatScope *scope,
                                   const CatExpression *expression) {
  CatValue value = compile_operand(compiler, scope, expression, 0);
  CatGraph *graph = &compiler->model->graph;
  if (is_error(value))
    return value;
  if (value.kind == CAT_VALUE_NODE)
    return node_value(cat_graph_complement(graph, value.node));
  return note_calls(compiler, cat_error(compiler->errors, operand(expression, 0)->span,
                                        "expected a set or a relation under '~', found %s",
                                        describe_value(compiler, value)));
}

static CatValue call_builtin(CatCompiler *compiler, const CatScope *scope,
                             const CatExpression *call, CatBuiltin builtin) {
  if (call->operands.count != 1)
    return note_calls(compiler,
                      cat_error(compiler->errors, call->span, "'%s' takes 1 argument, found %u",
                                names_text(&compiler->names, call->name), call->operands.count));
  switch (builtin) {
  case CAT_BUILTIN_DOMAIN:
    return compile_unary(compiler, scope, call, CAT_RELATION, cat_graph_domain);
  case CAT_BUILTIN_RANGE:
    return compile_unary(compiler, scope, call, CAT_RELATION, cat_graph_range);
  case CAT_BUILTIN_TOID:
    return compile_unary(compiler, scope, call, CAT_SET, cat_graph_identity);
  }
  assert(false && "a builtin function");
  return error_value();
}

// The function's body, compiled with its parameters bound to the arguments.
static CatValue call_function(CatCompiler *compiler, const CatScope *scope,
                              const CatExpression *call, CatValue function) {
  const CatBinding *binding = function.function;
  const CatScope *inner = function.scope;
  uint32_t wanted = binding->parameters.count;
  if (call->operands.count != wanted)
    return note_calls(compiler, cat_error(compiler->errors, call->span,
                                          "'%.60s' takes %u argument%s, found %u",
                                          names_text(&compiler->names, call->name), wanted,
                                          wanted == 1 ? "" : "s", call->operands.count));
  for (uint32_t i = 0; i < wanted; i++) {
    CatValue argument = compile_operand(compiler, scope, call, i);
    inner = cat_scope_add(compiler, inner, binding->parameters.items[i], argument);
  }
  CatCall frame = {.span = call->span, .function = call->name, .outer = compiler->call};
  compiler->call = &frame;
  CatValue value = cat_compile_expression(compiler, inner, binding->body);
  compiler->call = frame.outer;
  return value;
}

static CatValue compile_application(CatCompiler *compiler, const CatScope *scope,
                                    const CatExpression *call) {
  Span span = {call->span.source, call->span.begin, call->span.begin};
  const char *name = names_text(&compiler->names, call->name);
  while (*name++)
    span.end++;
  CatValue function = compile_name(compiler, scope, call->name, span);
  if (is_error(function))
    return function;
  if (function.kind == CAT_VALUE_BUILTIN)
    return call_builtin(compiler, scope, call, function.builtin);
  if (function.kind == CAT_VALUE_FUNCTION)
    return call_function(compiler, scope, call, function);
  return note_calls(compiler,
                    cat_error(compiler->errors, span,
                              "'%.60s' is %s, not a function: expected an operator behind it",
                              names_text(&compiler->names, call->name),
                              describe_value(compiler, function)));
}

static CatValue compile_local(CatCompiler *compiler, const CatScope *scope,
                              const CatExpression *local) {
  const CatScope *inner = cat_compile_definition(compiler, scope, local->definition);
  return compile_operand(compiler, inner, local, 0);
}

static CatValue compile_kind(CatCompiler *compiler, const CatScope *scope,
                             const CatExpression *expression) {
  switch (expression->kind) {
  case CAT_NAME:
    return compile_name(compiler, scope, expression->name, expression->span);
  case CAT_NOTHING:
    return (CatValue){.kind = CAT_VALUE_NOTHING};
  case CAT_UNION:
    return compile_chain(compiler, scope, expression, cat_graph_union);
  case CAT_INTERSECTION:
    return compile_chain(compiler, scope, expression, cat_graph_intersection);
  case CAT_DIFFERENCE:
    return compile_chain(compiler, scope, expression, cat_graph_difference);
  case CAT_SEQUENCE:
    return compile_typed_chain(compiler, scope, expression, CAT_RELATION, cat_graph_composition);
  case CAT_CARTESIAN:
    return compile_typed_chain(compiler, scope, expression, CAT_SET, cat_graph_cartesian);
  case CAT_COMPLEMENT:
    return compile_complement(compiler, scope, expression);
  case CAT_REFLEXIVE:
    return compile_unary(compiler, scope, expression, CAT_RELATION, cat_graph_reflexive);
  case CAT_TRANSITIVE:
    return compile_unary(compiler, scope, expression, CAT_RELATION, cat_graph_transitive);
  case CAT_REFLEXIVE_TRANSITIVE:
    return compile_unary(compiler, scope, expression, CAT_RELATION, reflexive_transitive);
  case CAT_INVERSE:
    return compile_unary(compiler, scope, expression, CAT_RELATION, cat_graph_inverse);
  case CAT_IDENTITY:
    return compile_unary(compiler, scope, expression, CAT_SET, cat_graph_identity);
  case CAT_APPLICATION:
    return compile_application(compiler, scope, expression);
  case CAT_LOCAL:
    return compile_local(compiler, scope, expression);
  }
  assert(false && "a kind of expression");
  return error_value();
}

static bool is_within(CatCompiler *compiler, Span span, uint32_t count, uint32_t limit,
                      const char *what) {
  if (count >= limit)
    cat_error_limit(compiler->errors, span, "the model is too large: more than %u %s", limit, what);
  return !compiler->errors->is_stopped;
}

// False, and reported, if the model is too large to go on.
static bool is_within_limits(CatCompiler *compiler, Span span) {
  return is_within(compiler, span, compiler->depth, DEPTH_LIMIT,
                   "levels of calls and parentheses") &&
         is_within(compiler, span, compiler->step_count, STEP_LIMIT,
                   "expressions once its functions are expanded") &&
         is_within(compiler, span, compiler->look_count, LOOK_LIMIT, "searches among its names") &&
         is_within(compiler, span, compiler->model->graph.operations.count, OPERATION_LIMIT,
                   "different operations");
}

CatValue cat_compile_expression(CatCompiler *compiler, const CatScope *scope,
                                const CatExpression *expression) {
  if (!is_within_limits(compiler, expression->span))
    return error_value();
  compiler->depth++;
  compiler->step_count++;
  CatValue value = compile_kind(compiler, scope, expression);
  compiler->depth--;
  return value;
}
