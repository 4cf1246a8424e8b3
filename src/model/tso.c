// TSO and sequential consistency (spec C.4), incrementally: one order that contains the preserved
// program order, communication and the engine's edges, and in which no access precedes itself.
#include "model/rules.h"

static bool order_added(Graph *graph, uint32_t from, const uint64_t *targets) {
  const Event *event = &graph->events[from];
  if (event->kind != EVENT_BARRIER && bits_has(targets, from))
    return false;
  // From a read nothing more follows: the write that it reads from, if another thread's, is in the
  // order before it; a store forwarded from the own buffer is not.
  return event->kind != EVENT_WRITE || total_ordered_before(graph, from, targets);
}

static bool order_reached(Graph *graph, const uint64_t *sources, uint32_t to) {
  const Event *event = &graph->events[to];
  if (!event_is_memory(event))
    return true;
  const uint64_t *writes = graph_row(graph, graph->writes_at, event->location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = sources[w] & writes[w]; left; left &= left - 1)
      if (!total_ordered_pair(graph, w * 64 + bits_first(left), to))
        return false;
  return true;
}

// Coherence with the program order of one location (ScPerLocation).
static bool same_thread_pairs(Graph *graph, uint32_t id) {
  const Event *event = &graph->events[id];
  const uint64_t *own = graph_row(graph, graph->thread_events, event->thread);
  const uint64_t *writes = graph_row(graph, graph->writes_at, event->location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, event->location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = own[w] & (writes[w] | reads[w]); left; left &= left - 1) {
      uint32_t other = w * 64 + bits_first(left);
      if (graph_is_po(graph, other, id) && !total_ordered_pair(graph, other, id))
        return false;
      if (graph_is_po(graph, id, other) && !total_ordered_pair(graph, id, other))
        return false;
    }
  return true;
}

static bool source_set(Graph *graph, uint32_t read, uint32_t source) {
  const Event *event = &graph->events[read];
  if (source == EVENT_INIT) {
    BITS_EACH(write, graph_row(graph, graph->writes_at, event->location), graph->words)
    graph_push(graph, EDGE_ORDER, read, (uint32_t)write);
  } else {
    if (graph->kind == MODEL_KIND_SC || graph->events[source].thread != event->thread)
      graph_push(graph, EDGE_ORDER, source, read);
    BITS_EACH(write, graph_row(graph, graph->coherence_after, source), graph->words)
    graph_push(graph, EDGE_ORDER, read, (uint32_t)write);
  }
  return order_reached(graph, graph_row(graph, graph->order_before, read), read) &&
         same_thread_pairs(graph, read) && total_atomic_source(graph, read, source);
}

static bool coherence_added(Graph *graph, uint32_t from, uint32_t to) {
  graph_push(graph, EDGE_ORDER, from, to);
  BITS_EACH(read, graph_row(graph, graph->readers, from), graph->words)
  graph_push(graph, EDGE_ORDER, (uint32_t)read, to);
  return total_atomic_coherence(graph, from, to);
}

static bool initial_readers_precede(Graph *graph, uint32_t write) {
  BITS_EACH(read, graph_row(graph, graph->initial_readers, graph->events[write].location),
            graph->words) {
    graph_push(graph, EDGE_ORDER, (uint32_t)read, write);
    if (graph->mate[read] != EVENT_NONE)
      graph_push(graph, EDGE_COHERENCE, (uint32_t)graph->mate[read], write);
  }
  return true;
}

static bool sc_event_added(Graph *graph, uint32_t id) {
  const Event *event = &graph->events[id];
  if (!(event->flags & EVENT_ASYNC) && graph->last_event[event->thread] != EVENT_NONE)
    graph_push(graph, EDGE_ORDER, (uint32_t)graph->last_event[event->thread], id);
  if (event->kind == EVENT_WRITE && !initial_readers_precede(graph, id))
    return false;
  return !event_is_memory(event) || same_thread_pairs(graph, id);
}

// Whatever orders everything around it: a full fence or an execution barrier.
static bool is_full_fence(const Event *event) {
  return event->kind == EVENT_BARRIER || (event->kind == EVENT_FENCE && event->sem == SEM_SC);
}

static bool is_locked(const Event *event, EventKind half) {
  return event->kind == half && (event->flags & EVENT_ATOMIC);
}

// Preserved program order for two events of one thread.
static bool is_preserved(const Graph *graph, uint32_t before, uint32_t after) {
  const Event *a = &graph->events[before], *b = &graph->events[after];
  if (is_full_fence(a) || is_full_fence(b))
    return true;
  if (!event_is_memory(a) || !event_is_memory(b))
    return false;
  if (a->kind == EVENT_READ || b->kind == EVENT_WRITE)
    return true;
  return is_locked(a, EVENT_WRITE) || is_locked(b, EVENT_READ);
}

// Latest events first. Behind the last read and the last write, or behind a full fence, nothing is
// left: everything is ordered before the last read or the last write in the same way as before
// `id`.
static void push_preserved(Graph *graph, uint32_t id) {
  const uint64_t *own = graph_row(graph, graph->thread_events, graph->events[id].thread);
  bool has_read = false, has_write = false;
  for (uint32_t w = (id >> 6) + 1; w-- > 0;)
    for (uint64_t left = own[w]; left;) {
      uint32_t bit = bits_last(left), before = w * 64 + bit;
      const Event *event = &graph->events[before];
      left &= ~(1ull << bit);
      if (!graph_is_po(graph, before, id))
        continue;
      if (is_preserved(graph, before, id))
        graph_push(graph, EDGE_ORDER, before, id);
      has_read = has_read || event->kind == EVENT_READ;
      has_write = has_write || event->kind == EVENT_WRITE;
      if (is_full_fence(event) || (has_read && has_write))
        return;
    }
}

static bool tso_event_added(Graph *graph, uint32_t id) {
  const Event *event = &graph->events[id];
  push_preserved(graph, id);
  if (event->kind == EVENT_WRITE && !initial_readers_precede(graph, id))
    return false;
  return !event_is_memory(event) || same_thread_pairs(graph, id);
}

const GraphRules tso_rules = {
    .event_added = tso_event_added,
    .order_added = order_added,
    .order_reached = order_reached,
    .source_set = source_set,
    .coherence_added = coherence_added,
    .has_total_coherence = true,
};

const GraphRules sc_rules = {
    .event_added = sc_event_added,
    .order_added = order_added,
    .order_reached = order_reached,
    .source_set = source_set,
    .coherence_added = coherence_added,
    .has_total_coherence = true,
};
