// Conditions on final states.
#include "brute.h"

static long term_value(const Term *term, const long *values) {
  return term->is_column ? values[term->value] : term->value;
}

static bool leaf_holds(const Node *node, const long *values) {
  long left = term_value(&node->left, values), right = term_value(&node->right, values);
  switch (node->compare) {
  case EQ:
    return left == right;
  case NE:
    return left != right;
  case LT:
    return left < right;
  case LE:
    return left <= right;
  case GT:
    return left > right;
  default:
    return left >= right;
  }
}

bool condition_evaluate(const Condition *condition, int node, const long *values) {
  const Node *n = &condition->nodes[node];
  switch (n->kind) {
  case '=':
    return leaf_holds(n, values);
  case '&':
    return condition_evaluate(condition, n->first, values) &&
           condition_evaluate(condition, n->second, values);
  case '|':
    return condition_evaluate(condition, n->first, values) ||
           condition_evaluate(condition, n->second, values);
  case '!':
    return !condition_evaluate(condition, n->first, values);
  default:
    return true;
  }
}

bool condition_holds(const Condition *condition, const Outcome *outcome) {
  bool some = false, all = true;
  for (int i = 0; i < outcome->state_count; i++) {
    const long *values = outcome->states[i].values;
    if (condition->filter >= 0 && !condition_evaluate(condition, condition->filter, values))
      continue;
    bool here = condition_evaluate(condition, condition->root, values);
    some |= here;
    all &= here;
  }
  return condition->kind == EXISTS ? some : condition->kind == FORALL ? all : !some;
}

static void term_print(FILE *file, const Program *program, const Columns *columns, Term term) {
  if (term.is_column)
    column_print(file, program, columns, (int)term.value);
  else
    fprintf(file, "%ld", term.value);
}

static void node_print(FILE *file, const Program *program, const Columns *columns, int i) {
  const Node *node = &program->condition.nodes[i];
  if (node->kind == '=') {
    term_print(file, program, columns, node->left);
    fprintf(file, " %s ", compare_name(node->compare));
    term_print(file, program, columns, node->right);
  } else if (node->kind == '1') {
    fputs("0 == 0", file);
  } else {
    fputs(node->kind == '!' ? "not (" : "(", file);
    node_print(file, program, columns, node->first);
    if (node->kind != '!') {
      fputs(node->kind == '&' ? " /\\ " : " \\/ ", file);
      node_print(file, program, columns, node->second);
    }
    fputs(")", file);
  }
}

void condition_print(FILE *file, const Program *program) {
  static const char *const kinds[] = {"exists", "~exists", "forall"};
  Columns columns = program_columns(program);
  fprintf(file, "%s (", kinds[program->condition.kind]);
  node_print(file, program, &columns, program->condition.root);
  fputs(")\n", file);
}
