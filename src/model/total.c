// What the models with a total coherence order have in common.
#include "model/rules.h"

static bool force_coherence(Graph *graph, uint64_t from, uint64_t to) {
  if (from == to || from == EVENT_INIT)
    return true;
  if (to == EVENT_INIT)
    return false;
  if (!graph_has(graph, graph->coherence_after, (uint32_t)from, (uint32_t)to))
    graph_push(graph, EDGE_COHERENCE, (uint32_t)from, (uint32_t)to);
  return true;
}

bool total_ordered_pair(Graph *graph, uint32_t first, uint32_t second) {
  if (first == second)
    return false;
  bool is_first_write = graph->events[first].kind == EVENT_WRITE;
  bool is_second_write = graph->events[second].kind == EVENT_WRITE;
  uint64_t from = is_first_write ? first : graph->source[first];
  uint64_t to = is_second_write ? second : graph->source[second];
  if (from == EVENT_NONE || to == EVENT_NONE)
    return true;
  // A read before the write that it reads from.
  if (!is_first_write && from == second)
    return false;
  return force_coherence(graph, from, to);
}

bool total_ordered_before(Graph *graph, uint32_t first, const uint64_t *later) {
  uint32_t location = graph->events[first].location;
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = later[w] & (writes[w] | reads[w]); left; left &= left - 1)
      if (!total_ordered_pair(graph, first, w * 64 + bits_first(left)))
        return false;
  return true;
}

bool total_ordered_after(Graph *graph, const uint64_t *earlier, uint32_t second) {
  uint32_t location = graph->events[second].location;
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = earlier[w] & (writes[w] | reads[w]); left; left &= left - 1)
      if (!total_ordered_pair(graph, w * 64 + bits_first(left), second))
        return false;
  return true;
}

// No write lies between the source and the write of an atomic.
static void keep_adjacent(Graph *graph, uint32_t read, uint32_t other) {
  uint64_t source = graph->source[read], mate = graph->mate[read];
  if (other == mate || other == source)
    return;
  if (source == EVENT_INIT || graph_has(graph, graph->coherence_after, (uint32_t)source, other))
    graph_push(graph, EDGE_COHERENCE, (uint32_t)mate, other);
  else if (graph_has(graph, graph->coherence_after, other, (uint32_t)mate))
    graph_push(graph, EDGE_COHERENCE, other, (uint32_t)source);
}

bool total_atomic_source(Graph *graph, uint32_t read, uint32_t source) {
  if (graph->mate[read] == EVENT_NONE)
    return true;
  if (!force_coherence(graph, source, graph->mate[read]))
    return false;
  BITS_EACH(write, graph_row(graph, graph->writes_at, graph->events[read].location), graph->words)
  keep_adjacent(graph, read, (uint32_t)write);
  return true;
}

bool total_atomic_coherence(Graph *graph, uint32_t from, uint32_t to) {
  BITS_EACH(read, graph_row(graph, graph->readers, from), graph->words)
  if (graph->mate[read] != EVENT_NONE)
    keep_adjacent(graph, (uint32_t)read, to);
  uint64_t read = graph->mate[to];
  if (read != EVENT_NONE && graph->source[read] != EVENT_NONE)
    keep_adjacent(graph, (uint32_t)read, from);
  return true;
}
