// What is decided when all reads have sources and coherence is complete: the order of SC fences
// (ptx) and of seq_cst operations (cuda).
#ifndef WARPSAN_MODEL_FINISH_H
#define WARPSAN_MODEL_FINISH_H

#include "model/graph.h"

// Accesses `first` and `second` that a race question wants unordered; EVENT_NONE: no such wish.
typedef struct FencePair {
  uint32_t first, second;
} FencePair;

// Two morally strong SC fences that nothing orders yet; false: there are none.
bool graph_find_unordered_fences(const Graph *graph, uint32_t *first, uint32_t *second);

// Could ordering fences order two racing writes, so that coherence depends on the choice? Then
// the caller has to try the orders (spec B.1: co contains what is causally ordered).
bool graph_fence_order_matters(const Graph *graph);

// Is there an order of all SC fences that no axiom forbids (spec B.7, axiom 2) and that leaves
// `apart` unordered? Requires: graph_fence_order_matters is false. The graph is left as it was.
bool graph_has_fence_order(const Graph *graph, FencePair apart);

// The SeqCst axiom of spec C.3.
bool graph_is_seq_cst(const Graph *graph);

#endif
