// Order through asynchronous operations (issue.c). Internal to model.
#ifndef WARPSAN_MODEL_ISSUE_H
#define WARPSAN_MODEL_ISSUE_H

#include "model/graph.h"

// The events that an edge puts before `to`: the issued access `from`, and of what comes before it
// the accesses to the bytes that it writes. The row has as many words as one of the graph.
void issue_find_sources(const Graph *graph, uint32_t from, uint32_t to, uint64_t *row);

#endif
