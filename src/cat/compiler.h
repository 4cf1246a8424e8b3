// Syntax tree -> operations. Names are resolved, functions expanded, types checked.
#ifndef WARPSAN_CAT_COMPILER_H
#define WARPSAN_CAT_COMPILER_H

#include "cat/errors.h"
#include "cat/program.h"
#include "cat/syntax.h"

// The functions that the language itself provides.
typedef enum CatBuiltin { CAT_BUILTIN_DOMAIN, CAT_BUILTIN_RANGE, CAT_BUILTIN_TOID } CatBuiltin;

typedef enum CatValueKind {
  CAT_VALUE_ERROR,    // a mistake that has been reported
  CAT_VALUE_NODE,     // a set or relation
  CAT_VALUE_NOTHING,  // the empty set or relation: which one, the context says
  CAT_VALUE_FUNCTION, // with the scope in which it was defined
  CAT_VALUE_BUILTIN,
} CatValueKind;

typedef struct CatScope CatScope;

typedef struct CatValue {
  CatValueKind kind;
  CatNode node;
  CatBuiltin builtin;
  const CatBinding *function;
  const CatScope *scope;
} CatValue;

// What names mean, newest first: a redefinition hides what is older.
struct CatScope {
  Name name;
  CatValue value;
  const CatScope *outer;
};

// A call that is being expanded, for error messages.
typedef struct CatCall {
  Span span;
  Name function;
  const struct CatCall *outer;
} CatCall;

typedef struct CatCompiler {
  Arena *arena;
  CatErrors *errors;
  NameTable names;
  CatModel *model;
  const CatScope *scope; // at the current statement
  const CatCall *call;   // innermost, or NULL
  CatLoad *load;
  void *load_context;
  uint32_t depth;      // of expressions being compiled, through calls
  uint32_t step_count; // expressions compiled so far, again for each call
  uint32_t look_count; // entries of scopes looked at so far
  uint32_t include_count;
} CatCompiler;

const CatScope *cat_scope_add(CatCompiler *compiler, const CatScope *scope, Name name,
                              CatValue value);

CatValue cat_compile_expression(CatCompiler *compiler, const CatScope *scope,
                                const CatExpression *expression);
// The scope extended by the definition. A definition with a mistake in it gets an error value.
const CatScope *cat_compile_definition(CatCompiler *compiler, const CatScope *scope,
                                       const CatDefinition *definition);

// The value as a node of the type; false if it is something else, which is then reported at `span`.
bool cat_value_node(CatCompiler *compiler, CatValue value, CatType type, Span span, CatNode *node);

#endif
