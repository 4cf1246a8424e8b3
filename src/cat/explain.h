// Takes a pair of events apart into steps that a reader of models knows. For witness.c, which
// chooses the pairs.
#ifndef WARPSAN_CAT_EXPLAIN_H
#define WARPSAN_CAT_EXPLAIN_H

#include "cat/state.h"

// In place of a number of rounds: as many as it takes.
#define CAT_ALL_ROUNDS UINT32_MAX

typedef struct CatExplainer {
  CatState *state; // evaluated, and left so
  Arena *arena;    // of the steps
  ARRAY(CatStep) steps;
  uint32_t depth;         // of claims being taken apart
  uint32_t claim_count;   // of this pair so far
  uint32_t *rounds;       // for each loop: the rounds whose values it holds now
  const uint32_t *solved; // CAT_ALL_ROUNDS for each loop
} CatExplainer;

// What is to be explained: that `node` relates `from` to `to`.
typedef struct CatClaim {
  CatNode node;
  uint32_t from, to;
  bool is_backwards;      // the steps lead from `to` to `from`
  const char *definition; // the innermost one whose value relates this very pair, or NULL
  const uint32_t *rounds; // for each loop: the rounds after which the claim holds
} CatClaim;

void cat_explainer_init(CatExplainer *explainer, CatState *state, Arena *arena);
// Adds the steps from `from` to `to`. requires: the node relates them.
void cat_explain_pair(CatExplainer *explainer, CatNode node, uint32_t from, uint32_t to);
// Adds the step that says that an event is in a set.
void cat_explain_member(CatExplainer *explainer, CatNode set, uint32_t event);

// A shortest path of one or more steps: `path[0]` is `from`, `path[length]` is `to`. Returns its
// length, 0 if there is none.
uint32_t cat_find_path(const CatState *state, CatNode relation, uint32_t from, uint32_t to,
                       Arena *arena, uint32_t **path);

#endif
