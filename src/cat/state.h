// The values of a model's operations for one execution graph: what cat.h shows as CatState.
#ifndef WARPSAN_CAT_STATE_H
#define WARPSAN_CAT_STATE_H

#include "cat/matrix.h"
#include "cat/program.h"

struct CatState {
  const CatModel *model;
  MatrixShape shape;
  uint64_t **values; // of each live node, by node: a set or a relation; room for words * 64 events
  bool *verdicts;    // of each axiom, by axiom
  uint64_t *scratch; // one row
};

static inline uint32_t cat_value_words(const CatState *state, CatNode node) {
  bool is_set = cat_operation(&state->model->graph, node)->type == CAT_SET;
  return is_set ? state->shape.words : state->shape.events * state->shape.words;
}

// Words that the value can have when more events fill the last word of each row.
static inline uint32_t cat_value_capacity(const CatState *state, CatNode node) {
  bool is_set = cat_operation(&state->model->graph, node)->type == CAT_SET;
  return state->shape.words * (is_set ? 1 : state->shape.words * 64);
}

static inline bool cat_value_relates(const CatState *state, CatNode node, uint32_t from,
                                     uint32_t to) {
  return state->values[node][(uint64_t)from * state->shape.words + to / 64] >> (to % 64) & 1;
}

// Applies the node's operation to values of its operands (NULL where it has none).
void cat_state_operate(const CatState *state, CatNode node, uint64_t *result, const uint64_t *a,
                       const uint64_t *b);
// Does the axiom hold of the values as they are?
bool cat_state_judge(CatState *state, const CatAxiom *axiom);

// Runs the loop's code once, with the variables as they are.
void cat_state_run_loop_body(CatState *state, const CatLoop *loop);
// Makes the loop's variables empty.
void cat_state_reset_loop(CatState *state, const CatLoop *loop);
// Gives the variables the values of their results; false if they had them already.
bool cat_state_advance_loop(CatState *state, const CatLoop *loop);
// Runs the loop until nothing changes.
void cat_state_solve_loop(CatState *state, const CatLoop *loop);

#endif
