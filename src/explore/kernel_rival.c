// Writes of which it is not decided yet which comes last, behind barriers and the like.
//
// Strong writes that nothing orders have a coherence order, which the search chooses: that of
// atomics with the sources of their reads, that of stores in the end. A plain load behind all of
// them sees the last one. So it waits for the sources, and if then several writes may be the last,
// it is a read like any other, whose source is chosen. Writes that race have no coherence order,
// and among those any will do: the race has been reported.
#include "explore/kernel.h"

static bool is_before(const Graph *graph, uint64_t last, uint32_t event) {
  return event == last || graph_has(graph, graph->order_before, (uint32_t)last, event);
}

uint32_t kernel_newest_write(const Search *search, uint64_t last, uint32_t location) {
  const Graph *graph = &search->graph;
  uint32_t newest = EVENT_NONE;
  if (last == EVENT_NONE)
    return EVENT_NONE;
  BITS_EACH(write, graph_row(graph, graph->writes_at, location), graph->words) {
    if (!is_before(graph, last, (uint32_t)write))
      continue;
    if (newest == EVENT_NONE || graph_has(graph, graph->order_after, newest, (uint32_t)write) ||
        graph_has(graph, graph->coherence_after, newest, (uint32_t)write))
      newest = (uint32_t)write;
  }
  return newest;
}

// A read half in the thread's past whose source is not known yet; EVENT_NONE: there is none.
static uint32_t find_open_half(const Search *search, uint64_t last, uint32_t location) {
  const Graph *graph = &search->graph;
  const uint64_t *reads = graph_row(graph, graph->reads_at, location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = reads[w] & search->open_reads[w]; left; left &= left - 1) {
      uint32_t read = w * 64 + bits_first(left);
      if (graph->mate[read] != EVENT_NONE && is_before(graph, last, read))
        return read;
    }
  return EVENT_NONE;
}

bool kernel_knows_sources(Search *search, uint32_t thread, uint32_t location) {
  const Graph *graph = &search->graph;
  uint64_t last = graph->last_event[thread];
  if (last == EVENT_NONE)
    return true;
  for (uint32_t i = graph_first_overlapping(graph, location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, location, i)) {
    uint32_t open = find_open_half(search, last, i);
    if (open == EVENT_NONE)
      continue;
    ValueId awaited = values_add(&search->values, (Value){.kind = VALUE_READ, .event = open});
    trail_set(&search->trail, &search->threads[thread].waits_for, awaited + 1ull);
    return false;
  }
  return true;
}

static bool have_one_value(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  int64_t first, second;
  return value_evaluate(&search->values, graph, graph->events[a].value, &first) &&
         value_evaluate(&search->values, graph, graph->events[b].value, &second) && first == second;
}

bool kernel_has_rivals(const Search *search, uint32_t thread, uint32_t location) {
  const Graph *graph = &search->graph;
  uint64_t last = graph->last_event[thread];
  uint32_t newest = kernel_newest_write(search, last, location);
  if (newest == EVENT_NONE)
    return false;
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  const uint64_t *strong = graph_row(graph, graph->linked, newest);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = writes[w] & strong[w]; left; left &= left - 1) {
      uint32_t other = w * 64 + bits_first(left);
      if (other != newest && is_before(graph, last, other) &&
          graph->events[other].thread != graph->events[newest].thread &&
          !graph_has(graph, graph->order_after, other, newest) &&
          !graph_has(graph, graph->coherence_after, other, newest) &&
          !have_one_value(search, other, newest))
        return true;
    }
  return false;
}
