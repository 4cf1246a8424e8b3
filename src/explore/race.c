// Data races of one execution (spec B.8, C.3).
#include "explore/kernel.h"
#include "explore/search.h"
#include "model/finish.h"

static bool has_races(const Search *search) {
  ModelKind kind = search->options->model->kind;
  return kind == MODEL_KIND_PTX60 || kind == MODEL_KIND_PTX || model_kind_is_language(kind);
}

// Do the accesses touch a common byte?
static bool overlap(const Graph *graph, uint32_t a, uint32_t b) {
  const Event *x = &graph->events[a], *y = &graph->events[b];
  if (!((x->flags | y->flags) & EVENT_PART))
    return x->location == y->location ||
           locations_overlap(&graph->locations[x->location], &graph->locations[y->location]);
  Location first = kernel_named_bytes(graph, x), second = kernel_named_bytes(graph, y);
  return locations_overlap(&first, &second);
}

// Parts of one aligned 32-bit word, accessed by atomics: compiled code mixes them (spec H9). No
// compiler makes volatile accesses of atomics.
static bool is_sub_word(const Graph *graph, uint32_t a, uint32_t b) {
  bool is_volatile = (graph->events[a].flags | graph->events[b].flags) & EVENT_VOLATILE;
  const Location *first = &graph->locations[graph->events[a].location];
  const Location *second = &graph->locations[graph->events[b].location];
  return !is_volatile && first->address / 4 == second->address / 4 && first->size <= 4 &&
         second->size <= 4 && event_is_strong(&graph->events[a]) &&
         event_is_strong(&graph->events[b]) && graph_is_scope_mutual(graph, a, b);
}

// Strong accesses through different proxies are not morally strong (spec B.2).
static bool has_other_proxy(const Search *search, const Event *a, const Event *b) {
  return search->kernel && search->options->model->kind == MODEL_KIND_PTX && a->proxy != b->proxy;
}

// Accesses of common bytes by different threads, one a write, that the model does not exempt.
static bool is_conflict(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  const Event *first = &graph->events[a], *second = &graph->events[b];
  bool is_async = (first->flags | second->flags) & EVENT_ASYNC;
  if (!overlap(graph, a, b) || (first->thread == second->thread && !is_async))
    return false;
  if (first->location != second->location && is_sub_word(graph, a, b))
    return false;
  if (!graph_has(graph, graph->linked, a, b) || has_other_proxy(search, first, second))
    return true;
  if (model_kind_is_language(search->options->model->kind))
    return !event_is_atomic(first) || !event_is_atomic(second);
  return false;
}

// cause(a, b): ordered, or observed by a read that is (spec B.5).
static bool is_caused(const Graph *graph, uint32_t a, uint32_t b) {
  if (graph_has(graph, graph->cause_after, a, b) &&
      (!graph->is_restricted || graph_has(graph, graph->time_after, a, b)))
    return true;
  if (graph->events[a].kind != EVENT_WRITE)
    return false;
  const uint64_t *observers = graph_row(graph, graph->observers, a);
  const uint64_t *before =
      graph_row(graph, graph->is_restricted ? graph->time_before : graph->cause_before, b);
  for (uint32_t w = 0; w < graph->words; w++)
    if (observers[w] & before[w])
      return true;
  return false;
}

// An atomic is one operation (PTX ISA, "Operation Types"): what its write comes before, its read
// comes before, too. So the last one to count may set a counter back by a plain store.
static bool is_operation_caused(const Graph *graph, uint32_t a, uint32_t b) {
  uint64_t mate = graph->mate[a];
  return is_caused(graph, a, b) || (graph->events[a].kind == EVENT_READ && mate != EVENT_NONE &&
                                    is_caused(graph, (uint32_t)mate, b));
}

static bool needs_proxy_fence(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  return search->kernel && search->options->model->kind == MODEL_KIND_PTX &&
         (graph->events[a].proxy != PROXY_GENERIC || graph->events[b].proxy != PROXY_GENERIC);
}

// A copy has read its map when it is done: what comes behind that needs no proxy fence.
static bool is_read_map(const Graph *graph, uint32_t read, uint32_t later) {
  return graph->events[read].proxy == PROXY_TENSORMAP &&
         graph_has(graph, graph->order_after, read, later);
}

static bool is_ordered_by_model(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  if (needs_proxy_fence(search, a, b))
    return graph_is_proxy_ordered(graph, a, b) || graph_is_proxy_ordered(graph, b, a) ||
           is_read_map(graph, a, b) || is_read_map(graph, b, a);
  if (model_kind_is_language(search->options->model->kind))
    return graph_has(graph, graph->order_after, a, b) || graph_has(graph, graph->order_after, b, a);
  return is_operation_caused(graph, a, b) || is_operation_caused(graph, b, a);
}

static bool is_ordered_by_restricted(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  bool is_generic = graph->events[a].proxy == PROXY_GENERIC && //
                    graph->events[b].proxy == PROXY_GENERIC;
  return is_generic && (graph_is_ordered_by_restricted(graph, a, b) ||
                        graph_is_ordered_by_restricted(graph, b, a));
}

static bool is_ordered(const Search *search, uint32_t a, uint32_t b) {
  return is_ordered_by_model(search, a, b) || is_ordered_by_restricted(search, a, b) ||
         (search->kernel && kernel_is_over(search, a, b));
}

static RecordPlace place_of(const Search *search, uint32_t event) {
  const Event *accessed = &search->graph.events[event];
  // Threads of a grid run one code: a race of two of them stands for all.
  uint32_t thread =
      search->kernel ? search->program->threads[accessed->thread].grid : accessed->thread;
  return (RecordPlace){thread, accessed->instruction};
}

// Accesses that may race with `write`, word by word: at its location, by other threads or where one
// of the two is asynchronous or reads a tensor map, neither exempt nor ordered.
static uint64_t candidates(const Search *search, uint32_t write, uint32_t location, uint32_t w) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[write];
  uint64_t here = graph_row(graph, graph->writes_at, location)[w] |
                  graph_row(graph, graph->reads_at, location)[w];
  if (!here)
    return 0;
  uint64_t own = graph_row(graph, graph->thread_events, event->thread)[w] &
                 ~graph->asynchronous[w] & ~graph->of_tensormaps[w];
  if (event->flags & EVENT_ASYNC)
    own = 0;
  uint64_t exempt = graph_row(graph, graph->linked, write)[w];
  if (model_kind_is_language(search->options->model->kind))
    exempt &= event_is_atomic(event) ? graph->atomics[w] : 0;
  if (location != event->location)
    exempt = 0;
  if (graph->has_async_proxy)
    exempt &= event->proxy == PROXY_GENERIC ? ~graph->asynchronous[w] : graph->asynchronous[w];
  uint64_t ordered = graph_row(graph, graph->cause_after, write)[w] |
                     graph_row(graph, graph->cause_before, write)[w];
  // Order alone is not enough between proxies.
  if (search->kernel && (graph->has_async_proxy || graph->is_restricted))
    ordered = 0;
  return here & ~own & ~exempt & ~ordered;
}

// A load that stands for an atomic is looked at as a write and as a read.
static bool is_later_poll(const Search *search, uint32_t write, uint32_t other) {
  const Graph *graph = &search->graph;
  return graph->events[write].kind == EVENT_READ &&
         (graph->events[other].kind == EVENT_WRITE || graph->events[other].flags & EVENT_POLL);
}

static void examine(Search *search, uint32_t write, uint32_t other) {
  bool is_write = search->graph.events[other].kind == EVENT_WRITE;
  if (other == write || (is_write && other < write) || is_later_poll(search, write, other) ||
      !is_conflict(search, write, other) || is_ordered(search, write, other))
    return;
  RecordPlace first = place_of(search, write), second = place_of(search, other);
  if (search_has_record(search, RECORD_RACE, first, second, 0))
    return;
  // Some order of the fences has to leave the two unordered; in C++ it does not order accesses.
  if (model_kind_is_language(search->options->model->kind) ||
      graph_has_fence_order(&search->graph, (FencePair){write, other}))
    search_record(search, RECORD_RACE, first, second, 0);
}

static void find_races_at(Search *search, uint32_t write, uint32_t location) {
  uint32_t words = bits_words((uint32_t)search->graph.event_count);
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t left = candidates(search, write, location, w); left; left &= left - 1)
      examine(search, write, w * 64 + bits_first(left));
}

static void find_races_of(Search *search, uint32_t write) {
  const Graph *graph = &search->graph;
  uint32_t own = graph->events[write].location;
  find_races_at(search, write, own);
  if (!search->kernel)
    return;
  for (uint32_t i = graph_first_overlapping(graph, own); i != EVENT_NONE;
       i = graph_next_overlapping(graph, own, i))
    if (i != own)
      find_races_at(search, write, i);
}

void race_find(Search *search) {
  if (!has_races(search))
    return;
  if (search->kernel)
    kernel_forget_past(search);
  for (uint32_t i = 0; i < search->graph.event_count; i++)
    if (search->graph.events[i].kind == EVENT_WRITE || search->graph.events[i].flags & EVENT_POLL)
      find_races_of(search, i);
}

// How far apart the threads of two events are: same warp, same block, further.
static uint32_t distance(const Search *search, uint32_t a, uint32_t b) {
  const Thread *first = &search->program->threads[search->graph.events[a].thread];
  const Thread *second = &search->program->threads[search->graph.events[b].thread];
  return !search->kernel ? 0 : first->block != second->block ? 2 : first->warp != second->warp;
}

static bool is_at(const Search *search, uint32_t event, RecordPlace place) {
  RecordPlace here = place_of(search, event);
  return event_is_memory(&search->graph.events[event]) && here.thread == place.thread &&
         here.instruction == place.instruction;
}

bool race_is_at(Search *search, RecordPlace first, RecordPlace second, uint32_t *a, uint32_t *b) {
  const Graph *graph = &search->graph;
  bool is_found = false;
  if (search->kernel)
    kernel_forget_past(search);
  for (uint32_t i = 0; i < graph->event_count; i++) {
    if (!(graph->events[i].kind == EVENT_WRITE || graph->events[i].flags & EVENT_POLL) ||
        !is_at(search, i, first))
      continue;
    for (uint32_t j = 0; j < graph->event_count; j++) {
      if (i == j || !is_at(search, j, second) || !is_conflict(search, i, j) ||
          is_ordered(search, i, j) ||
          (is_found && distance(search, i, j) <= distance(search, *a, *b)))
        continue;
      *a = i;
      *b = j;
      is_found = true;
    }
  }
  return is_found;
}
