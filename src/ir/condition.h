// The question that a test asks of its final states: a boolean expression over registers and
// memory, and its quantifier.
#ifndef WARPSAN_IR_CONDITION_H
#define WARPSAN_IR_CONDITION_H

#include "base/result.h"
#include "ir/ir.h"

typedef enum ColumnKind { COLUMN_REGISTER, COLUMN_MEMORY } ColumnKind;

// A value of a final state that the test observes.
typedef struct Column {
  ColumnKind kind;
  uint32_t thread;  // of a register
  uint32_t index;   // register of the thread, or object of the program
  const char *name; // "P1:r0", "x"
} Column;

// One side of a comparison.
typedef struct Term {
  bool is_column;
  uint32_t column;
  int64_t constant; // addresses are constants already
} Term;

typedef enum PropositionKind {
  PROPOSITION_TRUE,
  PROPOSITION_COMPARE, // left `compare` right (IR_SET_*)
  PROPOSITION_AND,
  PROPOSITION_OR,
  PROPOSITION_NOT, // of `first`
} PropositionKind;

// Nodes are in one array; children come before their parents.
typedef struct Proposition {
  PropositionKind kind;
  uint8_t compare;
  Term left, right;
  uint32_t first, second; // children
} Proposition;

// `columns` are the observed values: those of the condition, of the filter and of
// `locations [...]`, each once, in the order of their first mention.
typedef struct Condition {
  ConditionKind kind;
  const char *text; // the proposition as written, without the quantifier
  Span span;
  Proposition *nodes;
  uint32_t node_count;
  uint32_t root;        // of the proposition
  uint32_t filter_root; // UINT32_MAX: none
  Column *columns;
  uint32_t column_count;
} Condition;

// Evaluates the proposition at `root`; `values` holds one value for each column.
bool condition_holds(const Condition *condition, uint32_t root, const int64_t *values);

#endif
