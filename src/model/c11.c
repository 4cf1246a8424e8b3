// What c11 decides when an execution is complete: SeqCst and PlainReads (models/c11.cat). The rest
// is in cuda.c.
#include "model/rules.h"

#include <string.h>

// A plain read sees what happens before it, or the initial value.
static bool plain_reads_hold(const Graph *graph) {
  for (uint32_t i = 0; i < graph->event_count; i++) {
    uint64_t source = graph->source[i];
    if (graph->events[i].kind == EVENT_READ && !event_is_atomic(&graph->events[i]) &&
        source < EVENT_INIT && !graph_has(graph, graph->order_before, i, (uint32_t)source))
      return false;
  }
  return true;
}

typedef struct Search {
  const Graph *graph;
  uint64_t *state; // of the search for a cycle: 0 new, 1 open, 2 done
  Arena *arena;
} Search;

// hb | co | fr from one event.
static void add_steps(const Graph *graph, uint32_t id, uint64_t *row) {
  const Event *event = &graph->events[id];
  bits_add_row(row, graph_row(graph, graph->order_after, id), graph->words);
  if (event->kind == EVENT_WRITE)
    bits_add_row(row, graph_row(graph, graph->coherence_after, id), graph->words);
  if (event->kind != EVENT_READ || graph->source[id] == EVENT_NONE)
    return;
  const uint64_t *later =
      graph->source[id] == EVENT_INIT
          ? graph_row(graph, graph->writes_at, event->location)
          : graph_row(graph, graph->coherence_after, (uint32_t)graph->source[id]);
  bits_add_row(row, later, graph->words);
}

// ([F & SC] ; po)? ; (hb | co | fr), from one SC event.
static uint64_t *reach(const Search *search, uint32_t id) {
  const Graph *graph = search->graph;
  uint64_t *row = ARENA_ARRAY(search->arena, uint64_t, graph->words);
  add_steps(graph, id, row);
  if (graph->events[id].kind != EVENT_FENCE)
    return row;
  BITS_EACH(other, graph_row(graph, graph->thread_events, graph->events[id].thread), graph->words)
  if (graph_is_po(graph, id, (uint32_t)other))
    add_steps(graph, (uint32_t)other, row);
  return row;
}

// ... ; (po ; [F & SC])?
static bool ends_at(const Graph *graph, const uint64_t *row, uint32_t id) {
  if (bits_has(row, id))
    return true;
  if (graph->events[id].kind != EVENT_FENCE)
    return false;
  BITS_EACH(other, graph_row(graph, graph->thread_events, graph->events[id].thread), graph->words)
  if (bits_has(row, (uint32_t)other) && graph_is_po(graph, (uint32_t)other, id))
    return true;
  return false;
}

static bool is_acyclic_from(Search *search, uint32_t id) {
  const Graph *graph = search->graph;
  uint64_t *row = reach(search, id);
  search->state[id] = 1;
  BITS_EACH(bit, graph->sc_events, graph->words) {
    uint32_t other = (uint32_t)bit;
    if (search->state[other] == 2 || !ends_at(graph, row, other))
      continue;
    if (search->state[other] == 1 || !is_acyclic_from(search, other))
      return false;
  }
  search->state[id] = 2;
  return true;
}

bool graph_may_be_c11(const Graph *graph) {
  ArenaMark mark = arena_mark(graph->temporary);
  Search search = {.graph = graph,
                   .state = ARENA_ARRAY(graph->temporary, uint64_t, graph->event_count),
                   .arena = graph->temporary};
  bool holds = true;
  BITS_EACH(event, graph->sc_events, graph->words)
  if (holds && search.state[event] == 0)
    holds = is_acyclic_from(&search, (uint32_t)event);
  arena_reset(graph->temporary, mark);
  return holds;
}

bool graph_is_c11(const Graph *graph) {
  return plain_reads_hold(graph) && graph_may_be_c11(graph);
}
