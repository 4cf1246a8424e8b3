// Judges a complete execution graph by the .cat text of a model, and explains violations.
//
// In the text's relations event i of the graph has the number i; behind the graph's events come
// the initial writes, one for each location that is accessed.
#ifndef WARPSAN_MODEL_JUDGE_H
#define WARPSAN_MODEL_JUDGE_H

#include "cat/cat.h"
#include "model/graph.h"

typedef struct Judge {
  const CatModel *cat;
  Arena *arena; // the judge's own: emptied when events change
  ArenaMark start;
  CatState *state;
  uint32_t event_count;     // of the state: graph events and initial writes
  uint32_t graph_count;     // of these, events of the graph
  uint32_t *init_locations; // location of each initial write
  // What the state's fixed relations were made from, to see whether they are still right.
  Event *events;
  uint64_t *mates;
  SyncEdge *sync_edges;
  uint32_t sync_edge_count;
  uint64_t *data, *control; // copies of the dependencies
} Judge;

// What the graph does not hold. Rows are like the graph's.
typedef struct JudgeInput {
  const uint64_t *data, *control; // dependencies: rows of reads, the events that depend on them
  const uint64_t *fence_order;    // rows of the order of SC fences; NULL: the graph's order of them
  const uint64_t *coherence;      // rows in place of the graph's coherence; NULL: that
} JudgeInput;

// `arena` is given to the judge alone.
void judge_init(Judge *judge, const CatModel *cat, Arena *arena);
// Evaluates the text on the graph.
void judge_evaluate(Judge *judge, const Graph *graph, const JudgeInput *input);
// After judge_evaluate: no axiom is violated (flags forbid nothing). `only_monotone`: look at those
// only that a violation of which never heals.
bool judge_allows(const Judge *judge, bool only_monotone);
// After judge_evaluate with more coherence than there can be: no axiom is violated that stays so
// when pairs are taken away.
bool judge_may_allow(const Judge *judge);
uint32_t judge_violation_count(const Judge *judge);
// The number of the initial write of a location; EVENT_NONE if the location is not accessed.
uint32_t judge_initial_write(const Judge *judge, uint32_t location);

#endif
