// Fences that order some accesses only (PTX ISA, "membar / fence"): `.mbarrier_init` what the
// thread's earlier mbarrier.init have written, `.sync_restrict::shared::cta` accesses to shared
// memory of the thread's own CTA, `.sync_restrict::shared::cluster` those to shared memory. What
// they synchronise is asked for by the two accesses in question.
#include "model/graph.h"

#include "ir/memory.h"

#include <string.h>

static bool has_edge(const Graph *graph, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < graph->restricted_count; i++)
    if (graph->restricted_edges[i].from == from && graph->restricted_edges[i].to == to)
      return true;
  return false;
}

void graph_push_sync(Graph *graph, uint32_t from, uint32_t to) {
  uint32_t count = (uint32_t)graph->restricted_count;
  if (!event_is_restricted(&graph->events[from]) && !event_is_restricted(&graph->events[to])) {
    graph_push(graph, EDGE_ORDER, from, to);
    return;
  }
  if (has_edge(graph, from, to))
    return;
  uint32_t flags = graph->events[from].flags | graph->events[to].flags;
  if (graph->is_restricted && !(flags & EVENT_OF_INITS))
    graph_push(graph, EDGE_ORDER, from, to);
  if (count == graph->restricted_capacity)
    graph->restricted_edges = array_grow(graph->arena, graph->restricted_edges, count,
                                         &graph->restricted_capacity, sizeof(RestrictedEdge));
  graph->restricted_edges[count] = (RestrictedEdge){from, to};
  trail_set(graph->trail, &graph->restricted_count, count + 1);
}

// Does the end of an edge order the access, with which a path begins?
static bool allows(const Graph *graph, uint32_t end, uint32_t access) {
  const Event *fence = &graph->events[end], *first = &graph->events[access];
  uint64_t address = graph->locations[first->location].address;
  if (fence->flags & EVENT_OF_INITS)
    return (first->flags & EVENT_INITS) && graph_is_po(graph, access, end);
  if (!(fence->flags & EVENT_OF_SHARED))
    return true;
  if (address < MEMORY_SHARED_PHYSICAL)
    return false;
  return !event_is_release(fence) ||
         (address - MEMORY_SHARED_PHYSICAL) >> 32 == graph->program->threads[fence->thread].block;
}

static void reach(const Graph *graph, uint64_t *reached, uint32_t event) {
  const uint64_t *after =
      graph_row(graph, graph->is_restricted ? graph->time_after : graph->order_after, event);
  for (uint32_t w = 0; w < graph->words; w++)
    reached[w] |= after[w];
  bits_add(reached, event);
}

bool graph_is_ordered_by_restricted(const Graph *graph, uint32_t first, uint32_t second) {
  uint64_t *reached = graph_row(graph, graph->scratch, 3);
  bool has_grown = graph->restricted_count > 0;
  if (!has_grown)
    return false;
  memset(reached, 0, graph->words * sizeof *reached);
  reach(graph, reached, first);
  while (has_grown && !bits_has(reached, second)) {
    has_grown = false;
    for (uint32_t i = 0; i < graph->restricted_count; i++) {
      RestrictedEdge edge = graph->restricted_edges[i];
      if (!bits_has(reached, edge.from) || bits_has(reached, edge.to) ||
          !allows(graph, edge.from, first) || !allows(graph, edge.to, first))
        continue;
      reach(graph, reached, edge.to);
      has_grown = true;
    }
  }
  return bits_has(reached, second);
}
