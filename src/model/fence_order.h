// What forbids that one SC fence comes before another. Internal to model.
#ifndef WARPSAN_MODEL_FENCE_ORDER_H
#define WARPSAN_MODEL_FENCE_ORDER_H

#include "model/graph.h"

// Two morally strong SC fences that nothing orders yet; false: there are none.
bool graph_find_unordered_fences(const Graph *graph, uint32_t *first, uint32_t *second);

// Fills in the row of fences that `fence` may not come before. Uses scratch row 0 of the graph.
void fence_find_forbidden(const Graph *graph, uint32_t fence, uint64_t *fences);

#endif
