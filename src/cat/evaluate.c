#include "cat/state.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

CatState *cat_state_new(const CatModel *model, uint32_t event_count, Arena *arena) {
  CatState *state = ARENA_NEW(arena, CatState);
  uint32_t node_count = model->graph.operations.count;
  state->model = model;
  state->shape = (MatrixShape){event_count, bits_words(event_count)};
  state->values = ARENA_ARRAY(arena, uint64_t *, node_count);
  state->verdicts = ARENA_ARRAY(arena, bool, model->axioms.count);
  state->scratch = ARENA_ARRAY(arena, uint64_t, state->shape.words);
  for (CatNode node = 0; node < node_count; node++)
    if (model->is_live[node])
      state->values[node] = ARENA_ARRAY(arena, uint64_t, cat_value_capacity(state, node));
  return state;
}

void cat_state_resize(CatState *state, uint32_t event_count) {
  assert(bits_words(event_count) <= state->shape.words);
  state->shape.events = event_count;
}

uint32_t cat_state_words(const CatState *state) {
  return state->shape.words;
}

uint64_t *cat_input_row(CatState *state, uint32_t primitive, uint32_t from) {
  if (!cat_uses(state->model, primitive))
    return NULL;
  return state->values[primitive] + (uint64_t)from * state->shape.words;
}

void cat_state_operate(const CatState *state, CatNode node, uint64_t *result, const uint64_t *a,
                       const uint64_t *b) {
  const CatOperation *operation = cat_operation(&state->model->graph, node);
  MatrixShape shape = state->shape;
  switch (operation->kind) {
  case CAT_OP_PRIMITIVE: // filled in by the caller
  case CAT_OP_VARIABLE:  // by its loop
  case CAT_OP_NOTHING:   // zero from the beginning
    break;
  case CAT_OP_EVERYTHING:
    matrix_everything(shape, result);
    break;
  case CAT_OP_UNION:
    matrix_union(result, a, b, cat_value_words(state, node));
    break;
  case CAT_OP_INTERSECTION:
    matrix_intersection(result, a, b, cat_value_words(state, node));
    break;
  case CAT_OP_DIFFERENCE:
    matrix_difference(result, a, b, cat_value_words(state, node));
    break;
  case CAT_OP_COMPOSITION:
    matrix_composition(shape, result, a, b);
    break;
  case CAT_OP_TRANSITIVE:
    matrix_transitive(shape, result, a);
    break;
  case CAT_OP_INVERSE:
    matrix_inverse(shape, result, a);
    break;
  case CAT_OP_IDENTITY:
    matrix_identity(shape, result, a);
    break;
  case CAT_OP_CARTESIAN:
    matrix_cartesian(shape, result, a, b);
    break;
  case CAT_OP_DOMAIN:
    matrix_domain(shape, result, a);
    break;
  case CAT_OP_RANGE:
    matrix_range(shape, result, a);
    break;
  case CAT_OP_RESTRICT_FROM:
    matrix_restrict_from(shape, result, a, b);
    break;
  case CAT_OP_RESTRICT_TO:
    matrix_restrict_to(shape, result, a, b);
    break;
  }
}

// requires: the operands have their values.
static void evaluate_operation(CatState *state, CatNode node) {
  const CatOperation *operation = cat_operation(&state->model->graph, node);
  uint32_t operand_count = cat_operand_count(operation->kind);
  cat_state_operate(state, node, state->values[node],
                    operand_count > 0 ? state->values[operation->operands[0]] : NULL,
                    operand_count > 1 ? state->values[operation->operands[1]] : NULL);
}

static void run_code(CatState *state, const CatCode *code) {
  for (uint32_t i = 0; i < code->instructions.count; i++) {
    CatInstruction instruction = code->instructions.items[i];
    if (instruction.is_loop)
      cat_state_solve_loop(state, &state->model->graph.loops.items[instruction.index]);
    else
      evaluate_operation(state, instruction.index);
  }
}

void cat_state_run_loop_body(CatState *state, const CatLoop *loop) {
  run_code(state, &loop->code);
}

void cat_state_reset_loop(CatState *state, const CatLoop *loop) {
  for (uint32_t i = 0; i < loop->variables.count; i++) {
    CatNode variable = loop->variables.items[i];
    memset(state->values[variable], 0, cat_value_words(state, variable) * sizeof(uint64_t));
  }
}

bool cat_state_advance_loop(CatState *state, const CatLoop *loop) {
  bool is_changed = false;
  for (uint32_t i = 0; i < loop->variables.count; i++) {
    uint64_t *variable = state->values[loop->variables.items[i]];
    const uint64_t *result = state->values[loop->results.items[i]];
    size_t size = cat_value_words(state, loop->variables.items[i]) * sizeof *variable;
    if (memcmp(variable, result, size) == 0)
      continue;
    memcpy(variable, result, size);
    is_changed = true;
  }
  return is_changed;
}

// Ends: the bodies are increasing, so that each round adds a bit to some variable.
void cat_state_solve_loop(CatState *state, const CatLoop *loop) {
  cat_state_reset_loop(state, loop);
  do
    cat_state_run_loop_body(state, loop);
  while (cat_state_advance_loop(state, loop));
}

bool cat_state_judge(CatState *state, const CatAxiom *axiom) {
  const uint64_t *value = state->values[axiom->node];
  switch (axiom->kind) {
  case CAT_ACYCLIC:
    return matrix_is_acyclic(state->shape, value, state->scratch) != axiom->is_negated;
  case CAT_IRREFLEXIVE:
    return matrix_is_irreflexive(state->shape, value) != axiom->is_negated;
  case CAT_EMPTY:
    return matrix_is_empty(value, cat_value_words(state, axiom->node)) != axiom->is_negated;
  }
  assert(false && "a kind of axiom");
  return false;
}

void cat_evaluate_fixed(CatState *state) {
  run_code(state, &state->model->static_code);
}

void cat_evaluate(CatState *state) {
  cat_evaluate_fixed(state);
  cat_evaluate_dynamic(state);
}

void cat_evaluate_dynamic(CatState *state) {
  run_code(state, &state->model->dynamic_code);
  for (uint32_t i = 0; i < state->model->axioms.count; i++)
    state->verdicts[i] = cat_state_judge(state, &state->model->axioms.items[i]);
}

bool cat_axiom_holds(const CatState *state, uint32_t axiom) {
  return state->verdicts[axiom];
}
