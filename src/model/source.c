// Sources that an atomic cannot have, known before one is tried. Every one of them would be found
// out as a violation of Atomicity or Coherence; this only saves the attempts, which are most of the
// work where many atomics meet at one location.
#include "model/rules.h"

static bool is_total(const Graph *graph) {
  return graph->rules->has_total_coherence;
}

static bool is_linked(const Graph *graph, uint32_t a, uint32_t b) {
  return graph_has(graph, graph->linked, a, b);
}

// May no two of the atomics that `read` and `other` belong to have one source? Their writes are
// ordered, and the earlier one would come between the source and the later one.
static bool are_rivals(const Graph *graph, uint32_t read, uint32_t other) {
  uint32_t write = (uint32_t)graph->mate[read], rival = (uint32_t)graph->mate[other];
  return is_total(graph) || (is_linked(graph, rival, write) && is_linked(graph, rival, read) &&
                             is_linked(graph, write, other));
}

// Under partial coherence the source has to be known to come before both writes.
static bool precedes_both(const Graph *graph, uint32_t source, uint32_t read, uint32_t other) {
  return is_total(graph) ||
         (is_linked(graph, source, read) &&
          graph_has(graph, graph->coherence_after, source, (uint32_t)graph->mate[other]));
}

static bool is_taken(const Graph *graph, uint32_t read, uint32_t source) {
  BITS_EACH(bit, graph_row(graph, graph->readers, source), graph->words) {
    uint32_t other = (uint32_t)bit;
    if (other != read && graph->mate[other] != EVENT_NONE && are_rivals(graph, read, other) &&
        precedes_both(graph, source, read, other))
      return true;
  }
  return false;
}

static bool has_exclusions(const Graph *graph, uint32_t read) {
  return graph->rules && !graph->has_proxies && graph->mate[read] != EVENT_NONE;
}

bool graph_may_read_initial(const Graph *graph, uint32_t read) {
  if (!has_exclusions(graph, read))
    return true;
  BITS_EACH(other, graph_row(graph, graph->initial_readers, graph->events[read].location),
            graph->words)
  if (other != read && graph->mate[other] != EVENT_NONE && are_rivals(graph, read, (uint32_t)other))
    return false;
  return true;
}

void graph_exclude_sources(const Graph *graph, uint32_t read, uint64_t *row) {
  if (!has_exclusions(graph, read))
    return;
  const uint64_t *later = graph_row(graph, graph->coherence_after, (uint32_t)graph->mate[read]);
  const uint64_t *linked = graph_row(graph, graph->linked, read);
  for (uint32_t w = 0; w < graph->words; w++) {
    row[w] &= ~(later[w] & (is_total(graph) ? ~0ull : linked[w]));
    for (uint64_t left = row[w]; left; left &= left - 1)
      if (is_taken(graph, read, w * 64 + bits_first(left)))
        row[w] &= ~(left & -left);
  }
}
