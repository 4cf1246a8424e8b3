// The syntax tree of a .cat text: statements, and the expressions in them. Everything lives in the
// arena of the model.
#ifndef WARPSAN_CAT_SYNTAX_H
#define WARPSAN_CAT_SYNTAX_H

#include "base/array.h"
#include "base/names.h"
#include "cat/cat.h"

typedef enum CatExpressionKind {
  CAT_NAME,                 // name
  CAT_NOTHING,              // 0 or {}
  CAT_UNION,                // operands, two or more
  CAT_SEQUENCE,             // operands, two or more
  CAT_DIFFERENCE,           // operands 0 and 1
  CAT_INTERSECTION,         // operands, two or more
  CAT_CARTESIAN,            // operands, two or more
  CAT_COMPLEMENT,           // operand 0, as all below
  CAT_REFLEXIVE,            // r?
  CAT_TRANSITIVE,           // r+
  CAT_REFLEXIVE_TRANSITIVE, // r*
  CAT_INVERSE,              // r^-1
  CAT_IDENTITY,             // [S]
  CAT_APPLICATION,          // name, operands are the arguments
  CAT_LOCAL,                // let `definition` in operand 0
} CatExpressionKind;

typedef struct CatExpression CatExpression;
typedef struct CatDefinition CatDefinition;

struct CatExpression {
  CatExpressionKind kind;
  Span span;
  Name name;
  uint32_t height; // longest way down to a leaf; bounded, so that walks may recurse
  ARRAY(CatExpression *) operands;
  const CatDefinition *definition;
};

// One `name = body` or `name(parameters) = body`.
typedef struct CatBinding {
  Name name;
  Span span; // of the name
  bool is_function;
  ARRAY(Name) parameters;
  const CatExpression *body;
} CatBinding;

// `let b and b ...` or `let rec b and b ...`.
struct CatDefinition {
  bool is_recursive;
  ARRAY(CatBinding) bindings;
};

typedef enum CatStatementKind {
  CAT_STATEMENT_LET,
  CAT_STATEMENT_INCLUDE,
  CAT_STATEMENT_AXIOM,
} CatStatementKind;

typedef struct CatStatement {
  CatStatementKind kind;
  Span span;                       // of an include: the string with its quotes
  const CatDefinition *definition; // LET
  CatAxiom axiom;                  // AXIOM, without its node
  const CatExpression *body;       // AXIOM
} CatStatement;

typedef struct CatSyntax {
  const char *title; // or NULL
  ARRAY(CatStatement) statements;
} CatSyntax;

#endif
