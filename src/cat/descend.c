// The way down: what is known of an operation's value says something of its operands. Each rule is
// a line of this table (x has, x lacks: in every completion that violates no axiom):
//
//   x | y   lacks p  =>  x and y lack p           has p  =>  y has p if x cannot, and vice versa
//   x & y   lacks p  =>  x lacks p if y has it    has p  =>  x and y have p
//   x \ y   lacks p  =>  x lacks p if y cannot have it; y has p if x has it
//           has p    =>  x has p, y lacks it
//   x ; y   lacks (a, c)  =>  y lacks (b, c) if x has (a, b); x lacks (a, b) if y has (b, c)
//   x+      lacks (a, b)  =>  x lacks (c, d) if x* has (a, c) and (d, b)
//           has p    =>  x has p, if x is transitive in every execution
//   x^-1    the same of the pairs turned round
#include "cat/knowledge.h"

#include "base/bits.h"

#include <string.h>

// --- notes on nodes

static uint64_t *open_rows(const CatBounds *bounds, uint64_t **rows, bool *has_rows, CatNode node) {
  if (!cat_bounds_is_wanted(bounds, node))
    return NULL;
  if (!has_rows[node])
    memset(rows[node], 0, cat_value_words(bounds->state, node) * sizeof(uint64_t));
  has_rows[node] = true;
  return rows[node];
}

// Rows to add to; NULL: nobody wants to know.
static uint64_t *open_excluded(const CatBounds *bounds, CatNode node) {
  return open_rows(bounds, bounds->excluded, bounds->has_excluded, node);
}

static uint64_t *open_required(const CatBounds *bounds, CatNode node) {
  return open_rows(bounds, bounds->required, bounds->has_required, node);
}

typedef enum Mask { MASK_NONE, MASK_WITH, MASK_WITHOUT } Mask;

// Adds those of `pairs` that are in `mask`, or not in it. `to` may be NULL.
static void add(uint64_t *to, const uint64_t *pairs, Mask how, const uint64_t *mask,
                uint32_t words) {
  if (!to)
    return;
  for (uint32_t i = 0; i < words; i++)
    to[i] |= pairs[i] & (how == MASK_NONE ? ~0ull : how == MASK_WITH ? mask[i] : ~mask[i]);
}

static void add_inverse(MatrixShape shape, uint64_t *to, const uint64_t *pairs) {
  if (!to)
    return;
  for (uint32_t i = 0; i < shape.events; i++)
    BITS_EACH(j, pairs + (size_t)i * shape.words, shape.words)
  bits_add(to + j * shape.words, i);
}

static void add_diagonal(MatrixShape shape, uint64_t *set, const uint64_t *pairs) {
  for (uint32_t i = 0; set && i < shape.events; i++)
    if (bits_has(pairs + (size_t)i * shape.words, i))
      bits_add(set, i);
}

// --- paths

static void exclude_composition(CatBounds *bounds, const CatOperation *operation,
                                const uint64_t *pairs) {
  MatrixShape shape = bounds->state->shape;
  uint64_t **values = bounds->state->values;
  uint64_t *first = open_excluded(bounds, operation->operands[0]);
  uint64_t *second = open_excluded(bounds, operation->operands[1]);
  // What leads on from the first step to the end of a pair, and to the second from its beginning.
  if (first)
    matrix_add_meeting(shape, first, pairs, values[operation->operands[1]], bounds->state->scratch);
  if (second)
    matrix_add_reached(shape, second, pairs, values[operation->operands[0]]);
}

// `paths` is what x+ has for certain.
static void exclude_step(CatBounds *bounds, uint64_t *step, const uint64_t *pairs,
                         const uint64_t *paths) {
  MatrixShape shape = bounds->state->shape;
  uint32_t size = shape.events * shape.words;
  uint64_t *suffixes = bounds->scratch;
  memcpy(suffixes, pairs, size * sizeof *pairs);
  matrix_add_reached(shape, suffixes, pairs, paths);
  add(step, suffixes, MASK_NONE, NULL, size);
  matrix_add_meeting(shape, step, suffixes, paths, bounds->state->scratch);
}

// --- one operation

// Sets in front of or behind a relation: [S] ; r, r ; [S], S * T. `is_range`: S is behind.
static void exclude_members(MatrixShape shape, uint64_t *set, const uint64_t *pairs,
                            const uint64_t *relation, bool is_range) {
  for (uint32_t i = 0; set && i < shape.events; i++) {
    const uint64_t *lost = pairs + (size_t)i * shape.words;
    const uint64_t *row = relation + (size_t)i * shape.words;
    if (is_range)
      add(set, lost, MASK_WITH, row, shape.words);
    else if (bits_meet(lost, row, shape.words))
      bits_add(set, i);
  }
}

static void exclude_restricted(CatBounds *bounds, const CatOperation *operation,
                               const uint64_t *pairs) {
  MatrixShape shape = bounds->state->shape;
  bool is_range = operation->kind == CAT_OP_RESTRICT_TO;
  const uint64_t *set = bounds->state->values[operation->operands[0]];
  uint64_t *relation = open_excluded(bounds, operation->operands[1]);
  for (uint32_t i = 0; relation && i < shape.events; i++)
    if (is_range || bits_has(set, i))
      add(relation + (size_t)i * shape.words, pairs + (size_t)i * shape.words,
          is_range ? MASK_WITH : MASK_NONE, set, shape.words);
  exclude_members(shape, open_excluded(bounds, operation->operands[0]), pairs,
                  bounds->state->values[operation->operands[1]], is_range);
}

static void exclude_product(CatBounds *bounds, const CatOperation *operation,
                            const uint64_t *pairs) {
  MatrixShape shape = bounds->state->shape;
  const uint64_t *from = bounds->state->values[operation->operands[0]];
  const uint64_t *to = bounds->state->values[operation->operands[1]];
  uint64_t *lost_from = open_excluded(bounds, operation->operands[0]);
  uint64_t *lost_to = open_excluded(bounds, operation->operands[1]);
  for (uint32_t i = 0; i < shape.events; i++) {
    const uint64_t *row = pairs + (size_t)i * shape.words;
    if (lost_from && bits_meet(row, to, shape.words))
      bits_add(lost_from, i);
    if (bits_has(from, i))
      add(lost_to, row, MASK_NONE, NULL, shape.words);
  }
}

static void exclude_projection(CatBounds *bounds, const CatOperation *operation,
                               const uint64_t *set) {
  MatrixShape shape = bounds->state->shape;
  uint64_t *relation = open_excluded(bounds, operation->operands[0]);
  for (uint32_t i = 0; relation && i < shape.events; i++)
    if (operation->kind == CAT_OP_RANGE || bits_has(set, i))
      bits_add_row(relation + (size_t)i * shape.words,
                   operation->kind == CAT_OP_RANGE ? set : bounds->everything, shape.words);
}

static void exclude_difference(CatBounds *bounds, const CatOperation *operation,
                               const uint64_t *pairs, uint32_t words) {
  CatNode from = operation->operands[0], taken = operation->operands[1];
  add(open_excluded(bounds, from), pairs, MASK_WITHOUT, cat_bounds_upper(bounds, taken), words);
  add(open_required(bounds, taken), pairs, MASK_WITH, bounds->state->values[from], words);
}

static void pass_excluded(CatBounds *bounds, CatNode node) {
  const CatOperation *operation = cat_operation(&bounds->state->model->graph, node);
  const uint64_t *pairs = bounds->excluded[node];
  uint64_t **values = bounds->state->values;
  uint32_t words = cat_value_words(bounds->state, node);
  MatrixShape shape = bounds->state->shape;
  CatNode a = operation->operands[0], b = operation->operands[1];
  switch (operation->kind) {
  case CAT_OP_PRIMITIVE:
  case CAT_OP_VARIABLE:
  case CAT_OP_NOTHING:
  case CAT_OP_EVERYTHING:
    break;
  case CAT_OP_UNION:
    add(open_excluded(bounds, a), pairs, MASK_NONE, NULL, words);
    add(open_excluded(bounds, b), pairs, MASK_NONE, NULL, words);
    break;
  case CAT_OP_INTERSECTION:
    add(open_excluded(bounds, a), pairs, MASK_WITH, values[b], words);
    add(open_excluded(bounds, b), pairs, MASK_WITH, values[a], words);
    break;
  case CAT_OP_DIFFERENCE:
    exclude_difference(bounds, operation, pairs, words);
    break;
  case CAT_OP_COMPOSITION:
    exclude_composition(bounds, operation, pairs);
    break;
  case CAT_OP_TRANSITIVE:
    if (cat_bounds_is_wanted(bounds, a))
      exclude_step(bounds, open_excluded(bounds, a), pairs, values[node]);
    break;
  case CAT_OP_INVERSE:
    add_inverse(shape, open_excluded(bounds, a), pairs);
    break;
  case CAT_OP_IDENTITY:
    add_diagonal(shape, open_excluded(bounds, a), pairs);
    break;
  case CAT_OP_CARTESIAN:
    exclude_product(bounds, operation, pairs);
    break;
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
    exclude_projection(bounds, operation, pairs);
    break;
  case CAT_OP_RESTRICT_FROM:
  case CAT_OP_RESTRICT_TO:
    exclude_restricted(bounds, operation, pairs);
    break;
  }
}

static void pass_required(CatBounds *bounds, CatNode node) {
  const CatOperation *operation = cat_operation(&bounds->state->model->graph, node);
  const uint64_t *pairs = bounds->required[node];
  uint32_t words = cat_value_words(bounds->state, node);
  MatrixShape shape = bounds->state->shape;
  CatNode a = operation->operands[0], b = operation->operands[1];
  switch (operation->kind) {
  case CAT_OP_UNION:
    add(open_required(bounds, a), pairs, MASK_WITHOUT, cat_bounds_upper(bounds, b), words);
    add(open_required(bounds, b), pairs, MASK_WITHOUT, cat_bounds_upper(bounds, a), words);
    break;
  case CAT_OP_INTERSECTION:
    add(open_required(bounds, a), pairs, MASK_NONE, NULL, words);
    add(open_required(bounds, b), pairs, MASK_NONE, NULL, words);
    break;
  case CAT_OP_DIFFERENCE:
    add(open_required(bounds, a), pairs, MASK_NONE, NULL, words);
    add(open_excluded(bounds, b), pairs, MASK_NONE, NULL, words);
    break;
  case CAT_OP_INVERSE:
    add_inverse(shape, open_required(bounds, a), pairs);
    break;
  case CAT_OP_TRANSITIVE: // otherwise a path may be any path
    if (cat_is_closed_order(&bounds->state->model->graph, node))
      add(open_required(bounds, a), pairs, MASK_NONE, NULL, words);
    break;
  case CAT_OP_IDENTITY:
    add_diagonal(shape, open_required(bounds, a), pairs);
    break;
  case CAT_OP_RESTRICT_FROM:
  case CAT_OP_RESTRICT_TO:
    add(open_required(bounds, b), pairs, MASK_NONE, NULL, words);
    break;
  default:
    break;
  }
}

// --- all of them

static void descend_code(CatBounds *bounds, const CatCode *code);

// The bodies are equal to the variables in the end, so what is known of these is known of them.
static void descend_loop(CatBounds *bounds, const CatLoop *loop) {
  for (uint32_t i = 0; i < loop->variables.count; i++) {
    CatNode variable = loop->variables.items[i], result = loop->results.items[i];
    uint32_t words = cat_value_words(bounds->state, variable);
    if (bounds->has_excluded[variable])
      add(open_excluded(bounds, result), bounds->excluded[variable], MASK_NONE, NULL, words);
    if (bounds->has_required[variable])
      add(open_required(bounds, result), bounds->required[variable], MASK_NONE, NULL, words);
  }
  descend_code(bounds, &loop->code);
}

static void descend_code(CatBounds *bounds, const CatCode *code) {
  for (uint32_t i = code->instructions.count; i-- > 0;) {
    CatInstruction instruction = code->instructions.items[i];
    if (instruction.is_loop) {
      descend_loop(bounds, &bounds->state->model->graph.loops.items[instruction.index]);
      continue;
    }
    CatNode node = instruction.index;
    uint32_t words = cat_value_words(bounds->state, node);
    if (bounds->has_required[node] && !matrix_is_empty(bounds->required[node], words))
      pass_required(bounds, node);
    if (bounds->has_excluded[node] && !matrix_is_empty(bounds->excluded[node], words))
      pass_excluded(bounds, node);
  }
}

// What the axiom's relation cannot have, or the axiom would be violated.
static void start_from(CatBounds *bounds, const CatAxiom *axiom) {
  MatrixShape shape = bounds->state->shape;
  uint32_t words = cat_value_words(bounds->state, axiom->node);
  uint64_t *excluded = open_excluded(bounds, axiom->node);
  if (axiom->kind == CAT_EMPTY) {
    memcpy(excluded, bounds->everything, words * sizeof *excluded);
    return;
  }
  for (uint32_t i = 0; i < shape.events; i++)
    bits_add(excluded + (size_t)i * shape.words, i);
  if (axiom->kind != CAT_ACYCLIC)
    return;
  matrix_transitive(shape, bounds->scratch, bounds->state->values[axiom->node]);
  add_inverse(shape, excluded, bounds->scratch);
}

void cat_bounds_descend(CatBounds *bounds) {
  const CatModel *model = bounds->state->model;
  memset(bounds->has_excluded, 0, model->graph.operations.count * sizeof(bool));
  memset(bounds->has_required, 0, model->graph.operations.count * sizeof(bool));
  for (uint32_t i = 0; i < model->axioms.count; i++) {
    const CatAxiom *axiom = &model->axioms.items[i];
    if (!axiom->is_negated && !axiom->is_flag && cat_bounds_is_wanted(bounds, axiom->node))
      start_from(bounds, axiom);
  }
  descend_code(bounds, &model->dynamic_code);
}

const uint64_t *cat_bounds_required(const CatBounds *bounds, uint32_t primitive) {
  return bounds->has_required[primitive] ? bounds->required[primitive] : NULL;
}

const uint64_t *cat_bounds_excluded(const CatBounds *bounds, uint32_t primitive) {
  return bounds->has_excluded[primitive] ? bounds->excluded[primitive] : NULL;
}
