// Judges an execution graph by the .cat text of a model: a complete one, and one that is still
// growing.
//
// In the text's relations event i of the graph has the number i; behind the graph's events come
// the initial writes, one for each location that is accessed.
#ifndef WARPSAN_MODEL_JUDGE_H
#define WARPSAN_MODEL_JUDGE_H

#include "cat/bounds.h"
#include "cat/cat.h"
#include "model/graph.h"

typedef struct Judge {
  const CatModel *cat;
  bool is_total; // coherence orders all writes to a location
  Arena *arena;  // the judge's own: emptied when events change
  ArenaMark start;
  CatState *state;
  uint32_t event_count;     // of the state: graph events and initial writes
  uint32_t graph_count;     // of these, events of the graph
  uint32_t *init_locations; // location of each initial write
  // What the state's fixed relations were made from, to see whether they are still right.
  Event *events;
  uint64_t *mates;
  SyncEdge *sync_edges;
  uint32_t sync_edge_count, sync_edge_capacity;
  uint64_t *data, *control; // copies of the dependencies
  // For judge_propagate; rows like the graph's.
  CatBounds *bounds;
  uint64_t *fences; // pairs of SC fences that are ordered for certain
  uint64_t *denied; // pairs of writes that coherence cannot have
} Judge;

// What the graph does not hold. Rows are like the graph's.
typedef struct JudgeInput {
  const uint64_t *data, *control; // dependencies: rows of reads, the events that depend on them
  const uint64_t *fence_order;    // rows of the order of SC fences; NULL: the graph's order of them
  const uint64_t *apart;          // rows of writes that are to stay unordered; NULL: none
} JudgeInput;

// `arena` is given to the judge alone.
void judge_init(Judge *judge, const Model *model, Arena *arena);
// Evaluates the text on the graph.
void judge_evaluate(Judge *judge, const Graph *graph, const JudgeInput *input);
// After judge_evaluate: no axiom is violated (flags forbid nothing).
bool judge_allows(const Judge *judge);
// propagate.c: orders writes and SC fences that have to be ordered in every completion of the graph
// that the text allows; false: there is none. `is_complete`: no events will be added. Writes are
// ordered in the graph, through its trail. `judge->fences` has the fences: those that
// `input->fence_order` has (NULL: none), and what followed.
bool judge_propagate(Judge *judge, Graph *graph, const JudgeInput *input, bool is_complete);
// After judge_propagate, for a read without a source: is there a completion in which it reads from
// `source` (EVENT_INIT: the initial write), as far as was found out?
bool judge_may_read(const Judge *judge, uint32_t source, uint32_t read);
// Two different SC fences that every execution orders: of one thread, or in each other's scope.
bool judge_is_fence_pair(const Graph *graph, uint32_t a, uint32_t b);
// The state's fixed part, reads-from, coherence and `fence_order`, not evaluated yet; true: the
// fixed part was there already and its values are right.
bool judge_fill(Judge *judge, const Graph *graph, const JudgeInput *input);
uint32_t judge_violation_count(const Judge *judge);
// The number of the initial write of a location; EVENT_NONE if the location is not accessed.
uint32_t judge_initial_write(const Judge *judge, uint32_t location);

#endif
