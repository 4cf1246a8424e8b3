// What a text says of an execution that is not complete: events, or pairs of chosen relations, may
// still be added.
//
// Of each set and relation two bounds are known, among the events that are there: what it has in
// every completion (the state's values) and what it may have. They are computed from the primitives
// up to the axioms. Then knowledge flows down: an axiom has to hold, so its relation cannot have
// the pairs that would violate it (excluded); a relation that is taken away from another one must
// have some (required); down to the primitives that the caller seeks.
//
//   bounds = cat_bounds_new(state, is_sought, arena);
//   ... fill the state's inputs, cat_evaluate_fixed(state) ...
//   ... fill cat_bounds_input_row(bounds, input, event): what chosen inputs may have ...
//   if (cat_bounds_evaluate(bounds, is_complete)) ... cat_bounds_required(bounds, input) ...
#ifndef WARPSAN_CAT_BOUNDS_H
#define WARPSAN_CAT_BOUNDS_H

#include "cat/cat.h"

typedef struct CatBounds CatBounds;

// When the caller wants to know what is required of a primitive.
typedef enum CatSought {
  CAT_NOT_SOUGHT,
  CAT_SOUGHT,       // after each evaluation
  CAT_SOUGHT_LATER, // after cat_bounds_seek_later
} CatSought;

// `sought`: of each primitive.
CatBounds *cat_bounds_new(CatState *state, const CatSought *sought, Arena *arena);
// The row of event `from` of what a chosen primitive may have; NULL if that is not asked for. All
// zero at first.
uint64_t *cat_bounds_input_row(CatBounds *bounds, uint32_t primitive, uint32_t from);
// Computes the bounds and what follows. The state's values are lower bounds afterwards, no values.
// `is_complete`: there will be no further events. False: every completion violates an axiom.
bool cat_bounds_evaluate(CatBounds *bounds, bool is_complete);
// The same after more is known of what is sought after each evaluation, and nothing else has
// changed.
bool cat_bounds_evaluate_again(CatBounds *bounds);
// After one of these, which said true: looks for what is sought later.
void cat_bounds_seek_later(CatBounds *bounds);
// Rows of a primitive that was sought last: pairs that it has in every completion that violates no
// axiom, and pairs that it has in none; NULL: nothing is known.
const uint64_t *cat_bounds_required(const CatBounds *bounds, uint32_t primitive);
const uint64_t *cat_bounds_excluded(const CatBounds *bounds, uint32_t primitive);

#endif
