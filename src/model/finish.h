// What is decided when all reads have sources and coherence is complete: the order of SC fences
// (ptx) and of seq_cst operations (cuda).
#ifndef WARPSAN_MODEL_FINISH_H
#define WARPSAN_MODEL_FINISH_H

#include "model/graph.h"

// Accesses `first` and `second` that a race question wants unordered; EVENT_NONE: no such wish.
typedef struct FencePair {
  uint32_t first, second;
} FencePair;

// Orders SC fences that can be ordered in one way only; false: in none. The order of the others
// matters only to later events, if at all.
bool graph_force_fences(Graph *graph);

// Finds two SC fences whose order decides that of two racing writes, so that coherence depends on
// the choice (spec B.1: co contains what is causally ordered); false: there are none.
bool graph_find_deciding_fences(const Graph *graph, uint32_t *first, uint32_t *second);

// Is there an order of all SC fences that no axiom forbids (spec B.7, axiom 2) and that leaves
// `apart` unordered? Requires: no fences decide. The graph is left as it was.
bool graph_has_fence_order(const Graph *graph, FencePair apart);

// What the models of C and C++ leave to the end: SeqCst, and of c11 also PlainReads.
bool graph_is_seq_cst(const Graph *graph);
// The same before the execution is complete; true: no violation is certain yet.
bool graph_may_be_seq_cst(const Graph *graph);

#endif
