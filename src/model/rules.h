// The rules of the built-in models: one table for each family.
#ifndef WARPSAN_MODEL_RULES_H
#define WARPSAN_MODEL_RULES_H

#include "model/graph.h"

extern const GraphRules ptx_rules;  // ptx60 and ptx (spec C.1, C.2)
extern const GraphRules cuda_rules; // spec C.3; and c11
extern const GraphRules rc11_rules;
extern const GraphRules tso_rules; // spec C.4
extern const GraphRules sc_rules;

// The axioms SeqCst and PlainReads of c11, when an execution is complete.
bool graph_is_c11(const Graph *graph);
// SeqCst of c11 alone, on an execution that may be incomplete.
bool graph_may_be_c11(const Graph *graph);

// What follows when `first` is ordered before `second` in a model with total coherence, both
// accesses to one location: communication may not run against the order.
bool total_ordered_pair(Graph *graph, uint32_t first, uint32_t second);
// The same for an access and those accesses to its location that are in the row `later`.
bool total_ordered_before(Graph *graph, uint32_t first, const uint64_t *later);
// And for those that are in the row `earlier`.
bool total_ordered_after(Graph *graph, const uint64_t *earlier, uint32_t second);
// Consequences of total coherence that every such model draws for atomics.
bool total_atomic_source(Graph *graph, uint32_t read, uint32_t source);
bool total_atomic_coherence(Graph *graph, uint32_t from, uint32_t to);

#endif
