// Does a final condition hold? Its nodes are evaluated for many rounds of its loop variables at
// once; a column has a node's value in each. Rounds among which one fails are gone through again
// one by one, so that the first one that fails is told, and what fails first in it.
#include "ptx/launch_column.h"

#include "ptx/launch_parser.h"

#include <assert.h>
#include <string.h>

typedef struct Evaluation {
  const Final *final;
  LaunchRead *read;
  void *context;
  LaunchFailure *failure;
  uint32_t lane_count; // never rises
  Column *columns;     // of the nodes
  // Nodes that depend on no variable, and those of them whose column is filled for good.
  bool *is_fixed, *is_filled;
  Column variables[LAUNCH_MAX_VARIABLES];
  Column converted[2]; // operands of the node that is computed; indices of elements
} Evaluation;

// Lanes for which a node is evaluated. In others it has any value.
typedef uint64_t Lanes;

#define EACH_LANE(i, evaluation) for (uint32_t i = 0; i < (evaluation)->lane_count; i++)

static Lanes all_lanes(const Evaluation *evaluation) {
  return UINT64_MAX >> (COLUMN_LANES - evaluation->lane_count);
}

static const Column *column_of(const Evaluation *evaluation, uint32_t index) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  return node->kind == LAUNCH_NODE_VARIABLE ? &evaluation->variables[node->index]
                                            : &evaluation->columns[index];
}

static LaunchValue value_of(const Evaluation *evaluation, uint32_t index, uint32_t lane) {
  const Column *column = column_of(evaluation, index);
  if (evaluation->final->nodes[index].is_floating)
    return (LaunchValue){.is_floating = true, .floating = column->floats[lane]};
  return (LaunchValue){.integer = column->integers[lane]};
}

// Always returns false. `wrong` has the value that is.
static bool fail(const Evaluation *evaluation, LaunchFailureKind kind, uint32_t node,
                 uint32_t wrong) {
  evaluation->failure->kind = kind;
  evaluation->failure->node = node;
  evaluation->failure->left = value_of(evaluation, wrong, 0);
  return false;
}

// The values of an operand as floating-point numbers.
static const double *as_floats(Evaluation *evaluation, uint32_t index, Column *converted) {
  const Column *column = column_of(evaluation, index);
  if (evaluation->final->nodes[index].is_floating)
    return column->floats;
  EACH_LANE(i, evaluation)
  converted->floats[i] = (double)column->integers[i];
  return converted->floats;
}

static Lanes true_lanes(const Evaluation *evaluation, uint32_t index) {
  const Column *column = column_of(evaluation, index);
  Lanes lanes = 0;
  if (evaluation->final->nodes[index].is_floating)
    EACH_LANE(i, evaluation)
  lanes |= (Lanes)(column->floats[i] != 0) << i;
  else EACH_LANE(i, evaluation) lanes |= (Lanes)(column->integers[i] != 0) << i;
  return lanes;
}

// --- elements

// Where the element is not wanted, another one stands for it.
static const int64_t *wanted_elements(Evaluation *evaluation, const int64_t *elements,
                                      Lanes active) {
  int64_t any = elements[__builtin_ctzll(active)];
  if (active == all_lanes(evaluation))
    return elements;
  EACH_LANE(i, evaluation)
  evaluation->converted[0].integers[i] = active >> i & 1 ? elements[i] : any;
  return evaluation->converted[0].integers;
}

static bool compute_element(Evaluation *evaluation, uint32_t index, Lanes active) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  const LaunchBuffer *buffer = &evaluation->final->buffers[node->index];
  const int64_t *elements =
      wanted_elements(evaluation, column_of(evaluation, node->a)->integers, active);
  bool is_outside = false;
  EACH_LANE(i, evaluation)
  is_outside |= (uint64_t)elements[i] >= buffer->element_count;
  if (is_outside)
    return fail(evaluation, LAUNCH_FAILURE_OUT_OF_RANGE, index, node->a);
  Column *column = &evaluation->columns[index];
  if (!evaluation->read(evaluation->context, node->index, elements, evaluation->lane_count,
                        column->bits))
    return fail(evaluation, LAUNCH_FAILURE_UNDEFINED, index, node->a);
  column_decode(buffer->type, evaluation->lane_count, column);
  return true;
}

// --- operators

static void compute_unary(const Evaluation *evaluation, uint32_t index) {
  const LaunchNode *nodes = evaluation->final->nodes, *node = &nodes[index];
  column_compute_unary(node->kind, nodes[node->a].is_floating, column_of(evaluation, node->a),
                       evaluation->lane_count, &evaluation->columns[index]);
}

// Can the integers be divided, and shifted, by those on the right?
static bool check_right(const Evaluation *evaluation, uint32_t index, Lanes active) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  const Column *right = column_of(evaluation, node->b);
  Lanes bad = 0;
  if (node->kind == LAUNCH_NODE_DIVIDE || node->kind == LAUNCH_NODE_REMAINDER) {
    if (~true_lanes(evaluation, node->b) & active)
      return fail(evaluation, LAUNCH_FAILURE_DIVISION_BY_ZERO, index, node->b);
  } else if (node->kind == LAUNCH_NODE_SHIFT_LEFT || node->kind == LAUNCH_NODE_SHIFT_RIGHT) {
    EACH_LANE(i, evaluation)
    bad |= (Lanes)(right->bits[i] > 63) << i;
    if (bad & active)
      return fail(evaluation, LAUNCH_FAILURE_SHIFT_COUNT, index, node->b);
  }
  return true;
}

static bool compute_binary(Evaluation *evaluation, uint32_t index, Lanes active) {
  const LaunchNode *nodes = evaluation->final->nodes, *node = &nodes[index];
  Column *result = &evaluation->columns[index];
  if (nodes[node->a].is_floating || nodes[node->b].is_floating) {
    const double *left = as_floats(evaluation, node->a, &evaluation->converted[0]);
    const double *right = as_floats(evaluation, node->b, &evaluation->converted[1]);
    column_compute_floats(node->kind, left, right, evaluation->lane_count, result);
    return true;
  }
  if (!check_right(evaluation, index, active))
    return false;
  column_compute_integers(node->kind, column_of(evaluation, node->a),
                          column_of(evaluation, node->b), evaluation->lane_count, result);
  return true;
}

// --- nodes

static bool evaluate(Evaluation *evaluation, uint32_t index, Lanes active);

// The right side is evaluated only where the left one leaves it open.
static bool evaluate_logic(Evaluation *evaluation, uint32_t index, Lanes active) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  if (!evaluate(evaluation, node->a, active))
    return false;
  Lanes is_true = true_lanes(evaluation, node->a);
  Lanes is_open = (node->kind == LAUNCH_NODE_AND ? is_true : ~is_true) & active;
  if (is_open) {
    if (!evaluate(evaluation, node->b, is_open))
      return false;
    is_true = (is_true & ~is_open) | (true_lanes(evaluation, node->b) & is_open);
  }
  EACH_LANE(i, evaluation)
  evaluation->columns[index].integers[i] = is_true >> i & 1;
  return true;
}

static bool evaluate_choice(Evaluation *evaluation, uint32_t index, Lanes active) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  Column *result = &evaluation->columns[index];
  if (!evaluate(evaluation, node->a, active))
    return false;
  Lanes is_true = true_lanes(evaluation, node->a);
  if (((active & is_true) && !evaluate(evaluation, node->b, active & is_true)) ||
      ((active & ~is_true) && !evaluate(evaluation, node->c, active & ~is_true)))
    return false;
  if (node->is_floating) {
    const double *b = as_floats(evaluation, node->b, &evaluation->converted[0]);
    const double *c = as_floats(evaluation, node->c, &evaluation->converted[1]);
    EACH_LANE(i, evaluation)
    result->floats[i] = is_true >> i & 1 ? b[i] : c[i];
  } else {
    const int64_t *b = column_of(evaluation, node->b)->integers;
    const int64_t *c = column_of(evaluation, node->c)->integers;
    EACH_LANE(i, evaluation)
    result->integers[i] = is_true >> i & 1 ? b[i] : c[i];
  }
  return true;
}

static void fill_constant(const Evaluation *evaluation, uint32_t index) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  Column *column = &evaluation->columns[index];
  EACH_LANE(i, evaluation)
  if (node->is_floating)
    column->floats[i] = node->floating;
  else
    column->integers[i] = node->integer;
}

static bool evaluate_node(Evaluation *evaluation, uint32_t index, Lanes active) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  switch (node->kind) {
  case LAUNCH_NODE_INTEGER:
  case LAUNCH_NODE_FLOATING:
    fill_constant(evaluation, index);
    return true;
  case LAUNCH_NODE_VARIABLE:
    return true;
  case LAUNCH_NODE_ELEMENT:
    return evaluate(evaluation, node->a, active) && compute_element(evaluation, index, active);
  case LAUNCH_NODE_NOT:
  case LAUNCH_NODE_COMPLEMENT:
  case LAUNCH_NODE_NEGATE:
    if (!evaluate(evaluation, node->a, active))
      return false;
    compute_unary(evaluation, index);
    return true;
  case LAUNCH_NODE_AND:
  case LAUNCH_NODE_OR:
    return evaluate_logic(evaluation, index, active);
  case LAUNCH_NODE_CHOOSE:
    return evaluate_choice(evaluation, index, active);
  default:
    return evaluate(evaluation, node->a, active) && evaluate(evaluation, node->b, active) &&
           compute_binary(evaluation, index, active);
  }
}

// requires: a lane is active. False: it fails in one of them.
static bool evaluate(Evaluation *evaluation, uint32_t index, Lanes active) {
  if (evaluation->is_filled[index])
    return true;
  // What depends on no variable is the same in all lanes, and fails in all of them.
  bool is_fixed = evaluation->is_fixed[index];
  if (!evaluate_node(evaluation, index, is_fixed ? all_lanes(evaluation) : active))
    return false;
  evaluation->is_filled[index] = is_fixed;
  return true;
}

// --- what is false

// The part of a node that decides that it is false (or true, if that is wrong): the nearest
// comparison below it, or itself.
static uint32_t find_culprit(const Evaluation *evaluation, uint32_t index) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  while (node->kind >= LAUNCH_NODE_AND) {
    bool is_true = true_lanes(evaluation, node->a) & 1;
    if (node->kind == LAUNCH_NODE_CHOOSE)
      index = is_true ? node->b : node->c;
    else
      index = is_true == (node->kind == LAUNCH_NODE_AND) ? node->b : node->a;
    node = &evaluation->final->nodes[index];
  }
  return index;
}

static void explain_false(Evaluation *evaluation, uint32_t root) {
  LaunchFailure *failure = evaluation->failure;
  const LaunchNode *nodes = evaluation->final->nodes;
  uint32_t index = find_culprit(evaluation, root);
  failure->kind = LAUNCH_FAILURE_FALSE;
  if (nodes[index].kind == LAUNCH_NODE_NOT && launch_is_comparison(nodes[nodes[index].a].kind)) {
    failure->is_expected_false = true;
    index = nodes[index].a;
  }
  failure->node = index;
  failure->has_sides = launch_is_comparison(nodes[index].kind);
  if (!failure->has_sides)
    return;
  failure->left = value_of(evaluation, nodes[index].a, 0);
  failure->right = value_of(evaluation, nodes[index].b, 0);
}

// --- rounds

// The values of the loop variables behind `count` rounds of the innermost one; false: there are
// none.
static bool advance(const Final *final, uint32_t count, int64_t *values) {
  for (uint32_t i = final->variable_count; i-- > 0; count = 1) {
    if ((uint64_t) final->variables[i].last - (uint64_t)values[i] >= count) {
      values[i] += count;
      return true;
    }
    values[i] = final->variables[i].first;
  }
  return false;
}

// Rounds, at most `most`, of which only the innermost variable takes part.
static uint32_t count_inner(const Final *final, uint32_t most, const int64_t *values) {
  uint32_t inner = final->variable_count - 1;
  if (final->variable_count == 0)
    return 1;
  uint64_t more = (uint64_t) final->variables[inner].last - (uint64_t)values[inner];
  return more < most ? (uint32_t)more + 1 : most;
}

// Gives lanes, at most `most`, the rounds from `values` on, which leads to the next ones. False:
// there are none behind them.
static bool fill_variables(Evaluation *evaluation, uint32_t most, int64_t *values) {
  const Final *final = evaluation->final;
  bool has_more = true;
  uint32_t lane = 0;
  while (lane < most && has_more) {
    uint32_t count = count_inner(final, most - lane, values);
    for (uint32_t i = 0; i < final->variable_count; i++)
      for (uint32_t j = 0; j < count; j++)
        evaluation->variables[i].integers[lane + j] =
            values[i] + (i + 1 == final->variable_count ? j : 0);
    lane += count;
    has_more = advance(final, count, values);
  }
  evaluation->lane_count = lane;
  return has_more;
}

static bool holds_in_lanes(Evaluation *evaluation) {
  uint32_t root = evaluation->final->node_count - 1;
  Lanes all = all_lanes(evaluation);
  return evaluate(evaluation, root, all) && true_lanes(evaluation, root) == all;
}

// One of the lanes fails, and perhaps more. leaves: the first one's failure.
static void find_failure(Evaluation *evaluation, const int64_t *first) {
  uint32_t root = evaluation->final->node_count - 1;
  int64_t *values = evaluation->failure->variables, next[LAUNCH_MAX_VARIABLES];
  memcpy(next, first, sizeof next);
  bool has_more = true;
  do {
    assert(has_more && "a round alone is what it is among others");
    memcpy(values, next, sizeof next);
    has_more = fill_variables(evaluation, 1, next);
    if (!evaluate(evaluation, root, 1))
      return;
  } while (true_lanes(evaluation, root));
  (void)has_more;
  explain_false(evaluation, root);
}

static bool depends_on_none(const bool *is_fixed, const LaunchNode *node) {
  const uint32_t operands[] = {node->a, node->b, node->c};
  bool depends = node->kind == LAUNCH_NODE_VARIABLE;
  for (uint32_t i = 0; i < 3; i++)
    depends |= operands[i] != PTX_NONE && !is_fixed[operands[i]];
  return !depends;
}

static void begin(Evaluation *evaluation, int64_t *values, Arena *arena) {
  const Final *final = evaluation->final;
  evaluation->columns = ARENA_ARRAY(arena, Column, final->node_count);
  evaluation->is_fixed = ARENA_ARRAY(arena, bool, final->node_count);
  evaluation->is_filled = ARENA_ARRAY(arena, bool, final->node_count);
  for (uint32_t i = 0; i < final->node_count; i++)
    evaluation->is_fixed[i] = depends_on_none(evaluation->is_fixed, &final->nodes[i]);
  for (uint32_t i = 0; i < final->variable_count; i++)
    values[i] = final->variables[i].first;
}

bool launch_final_holds(const Final *final, LaunchRead *read, void *context, Arena *arena,
                        LaunchFailure *failure) {
  ArenaMark mark = arena_mark(arena);
  Evaluation evaluation = {.final = final, .read = read, .context = context, .failure = failure};
  int64_t values[LAUNCH_MAX_VARIABLES] = {0}, first[LAUNCH_MAX_VARIABLES];
  bool has_more = true, holds = true;
  *failure = (LaunchFailure){0};
  begin(&evaluation, values, arena);
  while (has_more && holds) {
    memcpy(first, values, sizeof first);
    has_more = fill_variables(&evaluation, COLUMN_LANES, values);
    holds = holds_in_lanes(&evaluation);
  }
  if (!holds)
    find_failure(&evaluation, first);
  arena_reset(arena, mark);
  return holds;
}
