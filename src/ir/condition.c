#include "ir/condition.h"

#include <assert.h>

static int64_t term_value(Term term, const int64_t *values) {
  return term.is_column ? values[term.column] : term.constant;
}

static bool compare_holds(const Proposition *node, const int64_t *values) {
  int64_t left = term_value(node->left, values);
  int64_t right = term_value(node->right, values);
  return ir_compute((IrOp)node->compare, left, right) != 0;
}

// Recursion is as deep as the proposition, whose depth the front end bounds.
bool condition_holds(const Condition *condition, uint32_t root, const int64_t *values) {
  assert(root < condition->node_count);
  const Proposition *node = &condition->nodes[root];
  switch (node->kind) {
  case PROPOSITION_TRUE:
    return true;
  case PROPOSITION_COMPARE:
    return compare_holds(node, values);
  case PROPOSITION_AND:
    return condition_holds(condition, node->first, values) &&
           condition_holds(condition, node->second, values);
  case PROPOSITION_OR:
    return condition_holds(condition, node->first, values) ||
           condition_holds(condition, node->second, values);
  case PROPOSITION_NOT:
    return !condition_holds(condition, node->first, values);
  }
  assert(!"a proposition has one of these kinds");
  return false;
}
