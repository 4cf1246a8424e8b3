// The models of C and C++, incrementally: cuda (spec C.3), rc11 and c11. `order` is hb. The axiom
// SeqCst is decided when an execution is complete (seq_cst.c); that nothing comes out of thin air
// is seen to by the search, and in rc11 by `time`.
#include "model/rules.h"

static bool is_inclusive(const Graph *graph, uint32_t a, uint32_t b) {
  return graph_has(graph, graph->linked, a, b);
}

static bool order_added(Graph *graph, uint32_t from, const uint64_t *targets) {
  return !event_is_memory(&graph->events[from]) || total_ordered_before(graph, from, targets);
}

static bool order_reached(Graph *graph, const uint64_t *sources, uint32_t to) {
  return !event_is_memory(&graph->events[to]) || total_ordered_after(graph, sources, to);
}

// `observed` of a read holds the starts of the release sequences that it reads from.
static void synchronise(Graph *graph, uint32_t write, uint32_t read) {
  BITS_EACH(head, graph_row(graph, graph->heads, write), graph->words)
  BITS_EACH(last, graph_row(graph, graph->lasts, read), graph->words)
  if (is_inclusive(graph, (uint32_t)head, (uint32_t)last))
    graph_push_sync(graph, (uint32_t)head, (uint32_t)last);
}

static void observe(Graph *graph, uint32_t write, uint32_t read) {
  if (!graph_add_bit(graph, graph_row(graph, graph->observed, read), write))
    return;
  synchronise(graph, write, read);
  if (graph->mate[read] == EVENT_NONE)
    return;
  uint32_t mate = (uint32_t)graph->mate[read];
  BITS_EACH(next, graph_row(graph, graph->readers, mate), graph->words)
  if (is_inclusive(graph, mate, (uint32_t)next))
    observe(graph, write, (uint32_t)next);
}

static void observe_source(Graph *graph, uint32_t read, uint32_t source) {
  if (!is_inclusive(graph, source, read))
    return;
  if (event_is_atomic(&graph->events[source]))
    observe(graph, source, read);
  if (graph->mate[source] != EVENT_NONE)
    BITS_EACH(write, graph_row(graph, graph->observed, (uint32_t)graph->mate[source]), graph->words)
  observe(graph, (uint32_t)write, read);
}

static bool source_set(Graph *graph, uint32_t read, uint32_t source) {
  if (!total_ordered_after(graph, graph_row(graph, graph->order_before, read), read) ||
      !total_ordered_before(graph, read, graph_row(graph, graph->order_after, read)))
    return false;
  if (source != EVENT_INIT)
    observe_source(graph, read, source);
  return total_atomic_source(graph, read, source);
}

// Nearly all events are mutually inclusive, so that columns pay.
static void link_event(Graph *graph, uint32_t id) {
  const Event *event = &graph->events[id];
  const uint64_t *own = graph_row(graph, graph->thread_events, event->thread);
  uint64_t *linked = graph_row(graph, graph->linked, id);
  for (uint32_t w = 0; w <= id >> 6; w++) {
    uint64_t fresh = own[w];
    uint64_t left = event_is_strong(event) ? graph->strong_events[w] & ~own[w] : 0;
    for (; left; left &= left - 1)
      if (graph_is_scope_mutual(graph, id, w * 64 + bits_first(left)))
        fresh |= left & -left;
    if (w == id >> 6)
      fresh &= ~(1ull << (id & 63));
    trail_set(graph->trail, &linked[w], fresh);
  }
  graph_add_column(graph, graph->linked, linked, id);
}

static bool is_fence_before(const Graph *graph, uint32_t fence, uint32_t event) {
  return graph->events[fence].kind == EVENT_FENCE && graph_is_po(graph, fence, event);
}

// C11: an earlier write of the thread to the location, whose release sequence goes on.
static bool is_continued(const Graph *graph, uint32_t before, uint32_t write) {
  return graph->kind != MODEL_KIND_CUDA && graph->events[before].kind == EVENT_WRITE &&
         graph->events[before].location == graph->events[write].location &&
         graph_is_po(graph, before, write);
}

static void find_heads(Graph *graph, uint32_t write) {
  if (!event_is_atomic(&graph->events[write]))
    return;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, graph->events[write].thread), graph->words)
  if (event_is_release(&graph->events[bit]) &&
      (bit == write || is_fence_before(graph, (uint32_t)bit, write) ||
       is_continued(graph, (uint32_t)bit, write)))
    graph_add_bit(graph, graph_row(graph, graph->heads, write), (uint32_t)bit);
}

static void find_lasts(Graph *graph, uint32_t last) {
  if (!event_is_acquire(&graph->events[last]))
    return;
  bool is_fence = graph->events[last].kind == EVENT_FENCE;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, graph->events[last].thread), graph->words) {
    uint32_t read = (uint32_t)bit;
    const Event *event = &graph->events[read];
    if (event->kind != EVENT_READ || !event_is_atomic(event) ||
        !(read == last || (is_fence && graph_is_po(graph, read, last))))
      continue;
    graph_add_bit(graph, graph_row(graph, graph->lasts, read), last);
    BITS_EACH(write, graph_row(graph, graph->observed, read), graph->words)
    synchronise(graph, (uint32_t)write, read);
  }
}

static bool event_added(Graph *graph, uint32_t id) {
  const Event *event = &graph->events[id];
  link_event(graph, id);
  if (!(event->flags & EVENT_ASYNC) && graph->last_event[event->thread] != EVENT_NONE)
    graph_push(graph, EDGE_ORDER, (uint32_t)graph->last_event[event->thread], id);
  find_lasts(graph, id);
  if (event->kind != EVENT_WRITE)
    return true;
  find_heads(graph, id);
  BITS_EACH(read, graph_row(graph, graph->initial_readers, event->location), graph->words)
  if (graph->mate[read] != EVENT_NONE)
    graph_push(graph, EDGE_COHERENCE, (uint32_t)graph->mate[read], id);
  return true;
}

// What a read sees was written before (rf is a part of the order of time).
static bool rc11_source_set(Graph *graph, uint32_t read, uint32_t source) {
  if (source != EVENT_INIT)
    graph_push(graph, EDGE_TIME, source, read);
  return source_set(graph, read, source);
}

const GraphRules rc11_rules = {
    .event_added = event_added,
    .read_strengthened = find_lasts,
    .order_added = order_added,
    .order_reached = order_reached,
    .source_set = rc11_source_set,
    .coherence_added = total_atomic_coherence,
    .settled = NULL,
    .has_total_coherence = true,
};

const GraphRules cuda_rules = {
    .event_added = event_added,
    .read_strengthened = find_lasts,
    .order_added = order_added,
    .order_reached = order_reached,
    .source_set = source_set,
    .coherence_added = total_atomic_coherence,
    .settled = NULL,
    .has_total_coherence = true,
};
