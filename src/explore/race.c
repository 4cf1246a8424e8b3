// Data races of one execution (spec B.8, C.3).
#include "explore/search.h"
#include "model/finish.h"

static bool has_races(const Search *search) {
  ModelKind kind = search->options->model->kind;
  return kind == MODEL_KIND_PTX60 || kind == MODEL_KIND_PTX || kind == MODEL_KIND_CUDA;
}

// Accesses of one location by different threads, one a write, that the model does not exempt.
static bool is_conflict(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  const Event *first = &graph->events[a], *second = &graph->events[b];
  bool is_async = (first->flags | second->flags) & EVENT_ASYNC;
  if (first->location != second->location || (first->thread == second->thread && !is_async))
    return false;
  if (!graph_has(graph, graph->linked, a, b))
    return true;
  if (search->options->model->kind == MODEL_KIND_CUDA)
    return !event_is_atomic(first) || !event_is_atomic(second);
  return false;
}

// cause(a, b): ordered, or observed by a read that is (spec B.5).
static bool is_caused(const Graph *graph, uint32_t a, uint32_t b) {
  if (graph_has(graph, graph->cause_after, a, b))
    return true;
  if (graph->events[a].kind != EVENT_WRITE)
    return false;
  const uint64_t *observers = graph_row(graph, graph->observers, a);
  const uint64_t *before = graph_row(graph, graph->cause_before, b);
  for (uint32_t w = 0; w < graph->words; w++)
    if (observers[w] & before[w])
      return true;
  return false;
}

static bool is_ordered(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  if (search->options->model->kind == MODEL_KIND_CUDA)
    return graph_has(graph, graph->order_after, a, b) || graph_has(graph, graph->order_after, b, a);
  return is_caused(graph, a, b) || is_caused(graph, b, a);
}

static RecordPlace place_of(const Search *search, uint32_t event) {
  const Event *accessed = &search->graph.events[event];
  return (RecordPlace){accessed->thread, accessed->instruction};
}

// Accesses that may race with `write`, word by word: at its location, by other threads (or by
// asynchronous operations of its own), neither exempt nor ordered.
static uint64_t candidates(const Search *search, uint32_t write, uint32_t w) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[write];
  uint64_t here = graph_row(graph, graph->writes_at, event->location)[w] |
                  graph_row(graph, graph->reads_at, event->location)[w];
  uint64_t own = graph_row(graph, graph->thread_events, event->thread)[w];
  if (!(event->flags & EVENT_ASYNC))
    own &= ~graph->asynchronous[w];
  uint64_t exempt = graph_row(graph, graph->linked, write)[w];
  if (search->options->model->kind == MODEL_KIND_CUDA)
    exempt &= event_is_atomic(event) ? graph->atomics[w] : 0;
  return here & ~own & ~exempt & ~graph_row(graph, graph->cause_after, write)[w] &
         ~graph_row(graph, graph->cause_before, write)[w];
}

static void examine(Search *search, uint32_t write, uint32_t other) {
  bool is_write = search->graph.events[other].kind == EVENT_WRITE;
  if (other == write || (is_write && other < write) || !is_conflict(search, write, other) ||
      is_ordered(search, write, other))
    return;
  RecordPlace first = place_of(search, write), second = place_of(search, other);
  if (search->options->jobs == 1 && records_find(search->records, RECORD_RACE, first, second))
    return;
  // Some order of the fences has to leave the two unordered; in C++ it does not order accesses.
  if (search->options->model->kind == MODEL_KIND_CUDA ||
      graph_has_fence_order(&search->graph, (FencePair){write, other}))
    search_record(search, RECORD_RACE, first, second);
}

static void find_races_of(Search *search, uint32_t write) {
  for (uint32_t w = 0; w < search->graph.words; w++)
    for (uint64_t left = candidates(search, write, w); left; left &= left - 1)
      examine(search, write, w * 64 + bits_first(left));
}

void race_find(Search *search) {
  if (!has_races(search))
    return;
  for (uint32_t i = 0; i < search->graph.event_count; i++)
    if (search->graph.events[i].kind == EVENT_WRITE)
      find_races_of(search, i);
}

bool race_is_at(const Search *search, RecordPlace first, RecordPlace second, uint32_t *a,
                uint32_t *b) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++)
    for (uint32_t j = 0; j < graph->event_count; j++) {
      RecordPlace here = place_of(search, i), there = place_of(search, j);
      if (graph->events[i].kind != EVENT_WRITE || !event_is_memory(&graph->events[j]) ||
          here.thread != first.thread || here.instruction != first.instruction ||
          there.thread != second.thread || there.instruction != second.instruction || i == j)
        continue;
      if (!is_conflict(search, i, j) || is_ordered(search, i, j))
        continue;
      *a = i;
      *b = j;
      return true;
    }
  return false;
}
