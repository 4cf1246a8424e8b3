// The bounds of a model's relations, and what is known of them: what bounds.h shows as CatBounds.
#ifndef WARPSAN_CAT_KNOWLEDGE_H
#define WARPSAN_CAT_KNOWLEDGE_H

#include "cat/bounds.h"
#include "cat/state.h"

struct CatBounds {
  CatState *state; // its values are the lower bounds
  bool is_complete;
  bool is_again;    // only what depends on `changed` has to be evaluated
  uint32_t changed; // sought primitives, as bits
  // Each sought primitive has a bit.
  uint32_t *leads;      // for each node: those that it depends on
  uint32_t soon, later; // by when they are sought
  uint32_t wanted;      // those that are sought now: only what leads there is handed down
  CatNode sought[32];   // the primitive of each bit
  uint32_t sought_count;
  uint64_t **upper;     // for each node: its upper bound where it is computed
  uint64_t **excluded;  // for each node that leads: pairs that it cannot have
  uint64_t **required;  // and pairs that it must have
  bool *has_excluded;   // for each node: there are some; the rows are not valid otherwise
  bool *has_required;   // likewise
  uint64_t *everything; // of the shape of a relation
  uint32_t events;      // that `everything` has
  uint64_t *scratch;    // a relation
};

// The body whose value a variable takes.
static inline CatNode cat_variable_result(const CatGraph *graph, CatNode variable) {
  const CatOperation *operation = cat_operation(graph, variable);
  return graph->loops.items[operation->operands[0]].results.items[operation->operands[1]];
}

// r+ of an r that is transitive anyhow, though its lower bound may not be.
static inline bool cat_is_closed_order(const CatGraph *graph, CatNode node) {
  const CatOperation *operation = cat_operation(graph, node);
  if (operation->kind != CAT_OP_TRANSITIVE)
    return false;
  const CatOperation *operand = cat_operation(graph, operation->operands[0]);
  return operand->kind == CAT_OP_PRIMITIVE &&
         graph->primitives[operand->operands[0]].change == CAT_CHOSEN_ORDER;
}

static inline bool cat_bounds_is_wanted(const CatBounds *bounds, CatNode node) {
  return bounds->leads[node] & bounds->wanted;
}

// A set or relation that has at least what the node can have. Valid once the node has its bounds.
const uint64_t *cat_bounds_upper(const CatBounds *bounds, CatNode node);

// The way down. requires: all bounds are computed, and no axiom is violated.
void cat_bounds_descend(CatBounds *bounds);

#endif
