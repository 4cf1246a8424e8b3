// Sources that a read cannot have, known before one is tried: what lies behind a write that the
// read has to see, and what atomics have taken for themselves. Every one of them would be found out
// as a violation of Coherence, Causality or Atomicity; this only saves the attempts.
#include "model/rules.h"

// --- atomics

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

static bool atomic_may_read_initial(const Graph *graph, uint32_t read) {
  BITS_EACH(other, graph_row(graph, graph->initial_readers, graph->events[read].location),
            graph->words)
  if (other != read && graph->mate[other] != EVENT_NONE && are_rivals(graph, read, (uint32_t)other))
    return false;
  return true;
}

static void exclude_for_atomic(const Graph *graph, uint32_t read, uint64_t *row) {
  const uint64_t *later = graph_row(graph, graph->coherence_after, (uint32_t)graph->mate[read]);
  const uint64_t *linked = graph_row(graph, graph->linked, read);
  for (uint32_t w = 0; w < graph->words; w++) {
    row[w] &= ~(later[w] & (is_total(graph) ? ~0ull : linked[w]));
    for (uint64_t left = row[w]; left; left &= left - 1)
      if (is_taken(graph, read, w * 64 + bits_first(left)))
        row[w] &= ~(left & -left);
  }
}

// --- what the read has to see

// One word of the writes and reads of the location that are ordered before `read`.
static uint64_t accesses_before(const Graph *graph, uint64_t *accesses, uint32_t read, uint32_t w) {
  return graph_row(graph, accesses, graph->events[read].location)[w] &
         graph_row(graph, graph->order_before, read)[w];
}

// What an earlier read has seen is seen by later ones too, if the models' rules say so.
static bool has_seen_write(const Graph *graph, uint32_t earlier) {
  if (model_kind_is_language(graph->kind))
    return graph->source[earlier] < EVENT_INIT;
  return !bits_is_empty(graph_row(graph, graph->observed, earlier), graph->words);
}

static void exclude_before(const Graph *graph, uint32_t seen, uint64_t *row) {
  const uint64_t *before = graph_row(graph, graph->coherence_before, seen);
  for (uint32_t w = 0; w < graph->words; w++)
    row[w] &= ~before[w];
}

static void exclude_before_seen(const Graph *graph, uint32_t earlier, uint64_t *row) {
  if (model_kind_is_language(graph->kind)) {
    if (graph->source[earlier] < EVENT_INIT)
      exclude_before(graph, (uint32_t)graph->source[earlier], row);
    return;
  }
  BITS_EACH(write, graph_row(graph, graph->observed, earlier), graph->words)
  exclude_before(graph, (uint32_t)write, row);
}

// --- for the search

bool graph_may_read_initial(const Graph *graph, uint32_t read) {
  if (!graph->rules || graph->has_proxies)
    return true;
  for (uint32_t w = 0; w < graph->words; w++) {
    if (accesses_before(graph, graph->writes_at, read, w))
      return false;
    for (uint64_t left = accesses_before(graph, graph->reads_at, read, w); left; left &= left - 1)
      if (has_seen_write(graph, w * 64 + bits_first(left)))
        return false;
  }
  return graph->mate[read] == EVENT_NONE || atomic_may_read_initial(graph, read);
}

void graph_exclude_sources(const Graph *graph, uint32_t read, uint64_t *row) {
  if (!graph->rules || graph->has_proxies)
    return;
  for (uint32_t w = 0; w < graph->words; w++) {
    for (uint64_t left = accesses_before(graph, graph->writes_at, read, w); left; left &= left - 1)
      exclude_before(graph, w * 64 + bits_first(left), row);
    for (uint64_t left = accesses_before(graph, graph->reads_at, read, w); left; left &= left - 1)
      exclude_before_seen(graph, w * 64 + bits_first(left), row);
  }
  if (graph->mate[read] != EVENT_NONE)
    exclude_for_atomic(graph, read, row);
}
