// Executions that get stuck (spec F.1): a thread at a barrier that is never released, or in a loop
// whose reads see what no fair continuation changes.
#include "explore/search.h"

// Will `read` see `write` in the end? Only strong accesses in each other's scope are promised to.
static bool becomes_visible(const Search *search, uint32_t write, uint32_t read) {
  const Graph *graph = &search->graph;
  const Event *from = &graph->events[write], *to = &graph->events[read];
  if (from->thread == to->thread)
    return true;
  if (search->options->model->kind == MODEL_KIND_TSO ||
      search->options->model->kind == MODEL_KIND_SC)
    return true;
  return event_is_strong(from) && event_is_strong(to) &&
         graph_is_scope_mutual(graph, write, read) && from->proxy == to->proxy;
}

// A write that leaves the value as it is, as a failing poll by an atomic does, ends no wait.
// Whether it does may not be known yet. (Of a kernel's exchange it is, before it has a source.)
static bool changes_value(const Search *search, uint32_t write, uint32_t read) {
  int64_t fresh, seen;
  uint64_t source = search->graph.source[read];
  if (!value_is_left(&search->values, &search->graph, search->graph.events[write].value, &fresh))
    return false;
  if (source == EVENT_INIT)
    return fresh != search->graph.locations[search->graph.events[read].location].initial;
  return value_evaluate(&search->values, &search->graph, search->graph.events[source].value,
                        &seen) &&
         seen != fresh;
}

// Does a write come after what `read` sees, that it is bound to see?
// A write that races with what a thread waits for: the race is the finding, not the wait.
static bool has_racing_write(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  uint64_t source = graph->source[read];
  BITS_EACH(bit, graph_row(graph, graph->writes_at, graph->events[read].location), graph->words) {
    uint32_t write = (uint32_t)bit;
    if (write != source && graph->events[write].thread != graph->events[read].thread &&
        !graph_has(graph, graph->linked, read, write) &&
        !graph_has(graph, graph->order_before, read, write) &&
        !graph_has(graph, graph->order_after, read, write))
      return true;
  }
  return false;
}

static bool sees_more(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  uint64_t source = graph->source[read];
  const uint64_t *later = source == EVENT_INIT
                              ? graph_row(graph, graph->writes_at, graph->events[read].location)
                              : graph_row(graph, graph->coherence_after, (uint32_t)source);
  BITS_EACH(write, later, graph->words)
  if (write != graph->mate[read] && becomes_visible(search, (uint32_t)write, read) &&
      changes_value(search, (uint32_t)write, read))
    return true;
  return false;
}

// All reads of the last iteration stay as they are.
static bool awaits_for_ever(const Search *search, uint32_t thread) {
  const Graph *graph = &search->graph;
  uint64_t iteration = search->threads[thread].iteration;
  if (search->threads[thread].spurious > iteration)
    return false; // it need not have failed
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[event].kind == EVENT_READ && graph->events[event].po_index >= iteration &&
      !(graph->events[event].flags & EVENT_EAGER) && graph->source[event] != EVENT_NONE &&
      sees_more(search, (uint32_t)event))
    return false;
  return true;
}

bool liveness_goes_on(const Search *search) {
  if (!(search->options->properties & EXPLORE_TERMINATION))
    return true;
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    if (search->threads[t].status == THREAD_AWAITING && !awaits_for_ever(search, t))
      return true;
  return false;
}

static bool waits_for_racing_write(const Search *search, uint32_t thread) {
  const Graph *graph = &search->graph;
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[event].kind == EVENT_READ &&
      graph->events[event].po_index >= search->threads[thread].iteration &&
      !(graph->events[event].flags & EVENT_EAGER) && has_racing_write(search, (uint32_t)event))
    return true;
  return false;
}

bool liveness_waits_on_race(const Search *search) {
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    if (search->threads[t].status == THREAD_AWAITING && waits_for_racing_write(search, t))
      return true;
  return false;
}

bool liveness_is_stuck(const Search *search) {
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    if (search->threads[t].status == THREAD_AWAITING && !awaits_for_ever(search, t))
      return false;
  return true;
}
