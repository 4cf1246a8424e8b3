// The PTX models (spec parts B and C.1, C.2), incrementally.
//
// All axioms are rules over three relations that only grow: cause (order restricted to one
// location, and through proxies), coherence and observation.
//   Coherence   cause(w, w') forces co(w, w'); a cycle of co is a violation.
//   Causality   cause(w, r) forbids that r reads a write that is co-before w, so a morally strong
//               pair is forced to be ordered the other way; cause(r, w) forbids that r reads w.
//   Atomicity   nothing morally strong comes between the source and the write of an atomic.
// where cause is ppb, or obs followed by ppb. FenceSC is decided when an execution is complete
// (fence_order.c). ScPerLocation follows from these and program order being part of `base`.
// ptx60 differs only in base leaving out program order, which no axiom can tell apart: pairs of one
// thread and location are ordered by ScPerLocation there, and by Coherence and Causality here.
#include "ir/memory.h"
#include "model/rules.h"

static bool is_linked(const Graph *graph, uint32_t a, uint32_t b) {
  return graph_has(graph, graph->linked, a, b);
}

// cause(write, read): the read may not look behind the write.
static bool read_is_after(Graph *graph, uint32_t write, uint32_t read) {
  uint64_t source = graph->source[read];
  if (source == EVENT_NONE || source == write)
    return true;
  if (source == EVENT_INIT || graph_has(graph, graph->coherence_after, (uint32_t)source, write))
    return false;
  if (is_linked(graph, (uint32_t)source, write) &&
      !graph_has(graph, graph->coherence_after, write, (uint32_t)source))
    graph_push(graph, EDGE_COHERENCE, write, (uint32_t)source);
  return true;
}

static bool cause_from_write(Graph *graph, uint32_t write, uint32_t later) {
  if (graph->events[later].kind == EVENT_READ)
    return read_is_after(graph, write, later);
  if (write == later)
    return false;
  if (!graph_has(graph, graph->coherence_after, write, later))
    graph_push(graph, EDGE_COHERENCE, write, later);
  return true;
}

// `first` is newly ppb-before `second`, both at one location.
static bool cause_pair(Graph *graph, uint32_t first, uint32_t second) {
  if (graph->events[first].kind == EVENT_WRITE)
    return cause_from_write(graph, first, second);
  if (graph->source[first] == second)
    return false;
  BITS_EACH(write, graph_row(graph, graph->observed, first), graph->words)
  if (!cause_from_write(graph, (uint32_t)write, second))
    return false;
  return true;
}

static bool order_added(Graph *graph, uint32_t from, const uint64_t *targets) {
  const Event *event = &graph->events[from];
  if (graph->has_proxies || !event_is_memory(event))
    return true;
  const uint64_t *writes = graph_row(graph, graph->writes_at, event->location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, event->location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = targets[w] & (writes[w] | reads[w]); left; left &= left - 1)
      if (!cause_pair(graph, from, w * 64 + bits_first(left)))
        return false;
  return true;
}

static bool order_reached(Graph *graph, const uint64_t *sources, uint32_t to) {
  const Event *event = &graph->events[to];
  if (graph->has_proxies || !event_is_memory(event))
    return true;
  const uint64_t *writes = graph_row(graph, graph->writes_at, event->location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, event->location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = sources[w] & (writes[w] | reads[w]); left; left &= left - 1)
      if (!cause_pair(graph, w * 64 + bits_first(left), to))
        return false;
  return true;
}

// --- observation and synchronisation (spec B.3, B.4)

static void synchronise(Graph *graph, uint32_t write, uint32_t read) {
  if (!event_is_strong(&graph->events[write]) || !event_is_strong(&graph->events[read]))
    return;
  BITS_EACH(head, graph_row(graph, graph->heads, write), graph->words) {
    const uint64_t *linked = graph_row(graph, graph->linked, (uint32_t)head);
    const uint64_t *lasts = graph_row(graph, graph->lasts, read);
    for (uint32_t w = 0; w < graph->words; w++)
      for (uint64_t left = lasts[w] & linked[w]; left; left &= left - 1)
        graph_push_sync(graph, (uint32_t)head, w * 64 + bits_first(left));
  }
}

static bool observe(Graph *graph, uint32_t write, uint32_t read) {
  if (!graph_add_bit(graph, graph_row(graph, graph->observed, read), write))
    return true;
  graph_add_bit(graph, graph_row(graph, graph->observers, write), read);
  synchronise(graph, write, read);
  const Event *event = &graph->events[read];
  const uint64_t *after = graph_row(graph, graph->cause_after, read);
  const uint64_t *writes = graph_row(graph, graph->writes_at, event->location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, event->location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = after[w] & (writes[w] | reads[w]); left; left &= left - 1)
      if (!cause_from_write(graph, write, w * 64 + bits_first(left)))
        return false;
  if (graph->mate[read] == EVENT_NONE)
    return true;
  uint32_t mate = (uint32_t)graph->mate[read];
  BITS_EACH(next, graph_row(graph, graph->readers, mate), graph->words)
  if (is_linked(graph, mate, (uint32_t)next) && !observe(graph, write, (uint32_t)next))
    return false;
  return true;
}

static bool observe_source(Graph *graph, uint32_t read, uint32_t source) {
  if (!is_linked(graph, source, read))
    return true;
  if (!observe(graph, source, read))
    return false;
  if (graph->mate[source] == EVENT_NONE)
    return true;
  BITS_EACH(write, graph_row(graph, graph->observed, (uint32_t)graph->mate[source]), graph->words)
  if (!observe(graph, (uint32_t)write, read))
    return false;
  return true;
}

// --- reads

// Is there cause(write, read)?
static bool causes_read(const Graph *graph, uint32_t write, uint32_t read) {
  const uint64_t *before = graph_row(graph, graph->cause_before, read);
  if (bits_has(before, write))
    return true;
  const uint64_t *observers = graph_row(graph, graph->observers, write);
  for (uint32_t w = 0; w < graph->words; w++)
    if (observers[w] & before[w])
      return true;
  return false;
}

static bool causing_writes_allow(Graph *graph, uint32_t read) {
  const Event *event = &graph->events[read];
  const uint64_t *before = graph_row(graph, graph->cause_before, read);
  const uint64_t *writes = graph_row(graph, graph->writes_at, event->location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, event->location);
  for (uint32_t w = 0; w < graph->words; w++) {
    for (uint64_t left = before[w] & writes[w]; left; left &= left - 1)
      if (!read_is_after(graph, w * 64 + bits_first(left), read))
        return false;
    for (uint64_t left = before[w] & reads[w]; left; left &= left - 1)
      BITS_EACH(write, graph_row(graph, graph->observed, w * 64 + bits_first(left)), graph->words)
    if (!read_is_after(graph, (uint32_t)write, read))
      return false;
  }
  return true;
}

// Atomicity for an atomic whose read has a source: a morally strong write that is coherence-after
// the source is coherence-after the atomic's own write.
static bool atomic_pair(Graph *graph, uint32_t read, uint32_t other) {
  uint32_t mate = (uint32_t)graph->mate[read];
  uint64_t source = graph->source[read];
  if (other == mate || other == source || !is_linked(graph, other, mate) ||
      !is_linked(graph, other, read))
    return true;
  if (source == EVENT_INIT || graph_has(graph, graph->coherence_after, (uint32_t)source, other)) {
    graph_push(graph, EDGE_COHERENCE, mate, other);
    return true;
  }
  if (!graph_has(graph, graph->coherence_after, other, mate))
    return true;
  if (is_linked(graph, other, (uint32_t)source))
    graph_push(graph, EDGE_COHERENCE, other, (uint32_t)source);
  return true;
}

static bool atomic_source(Graph *graph, uint32_t read) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[read].location);
  BITS_EACH(write, writes, graph->words)
  if (!atomic_pair(graph, read, (uint32_t)write))
    return false;
  return true;
}

static bool source_set(Graph *graph, uint32_t read, uint32_t source) {
  if (source != EVENT_INIT) {
    if (graph_has(graph, graph->cause_after, read, source) || !observe_source(graph, read, source))
      return false;
  }
  if (!causing_writes_allow(graph, read))
    return false;
  return graph->mate[read] == EVENT_NONE || atomic_source(graph, read);
}

// --- coherence

static bool coherence_added(Graph *graph, uint32_t from, uint32_t to) {
  BITS_EACH(bit, graph_row(graph, graph->readers, from), graph->words) {
    uint32_t read = (uint32_t)bit;
    if (causes_read(graph, to, read))
      return false;
    if (graph->mate[read] != EVENT_NONE && !atomic_pair(graph, read, to))
      return false;
  }
  if (graph->mate[to] == EVENT_NONE)
    return true;
  uint32_t read = (uint32_t)graph->mate[to];
  return graph->source[read] == EVENT_NONE || atomic_pair(graph, read, from);
}

// --- events

// B.2: one thread, or both strong and in each other's scope; same proxy and location if memory.
static bool is_morally_strong(const Graph *graph, uint32_t a, uint32_t b) {
  const Event *first = &graph->events[a], *second = &graph->events[b];
  if (event_is_memory(first) && event_is_memory(second)) {
    if (first->location != second->location)
      return false;
    // Accesses through different aliases do not overlap (spec A.1).
    if (graph->has_proxies &&
        (first->proxy != second->proxy || first->virtual_location != second->virtual_location))
      return false;
  }
  return graph_is_po(graph, a, b) || graph_is_po(graph, b, a) || graph_is_scope_mutual(graph, a, b);
}

static void link_pair(Graph *graph, uint32_t a, uint32_t b) {
  if (a == b || !is_morally_strong(graph, a, b))
    return;
  graph_add_bit(graph, graph_row(graph, graph->linked, a), b);
  graph_add_bit(graph, graph_row(graph, graph->linked, b), a);
}

static void link_event(Graph *graph, uint32_t id) {
  const Event *event = &graph->events[id];
  const uint64_t *own = graph_row(graph, graph->thread_events, event->thread);
  bool is_strong = event_is_strong(event);
  for (uint32_t w = 0; w <= id >> 6; w++)
    for (uint64_t left = own[w] | (is_strong ? graph->strong_events[w] : 0); left; left &= left - 1)
      link_pair(graph, id, w * 64 + bits_first(left));
}

// Program order on one address, including the event itself.
static bool is_same_address_before(const Graph *graph, uint32_t before, uint32_t after) {
  const Event *a = &graph->events[before], *b = &graph->events[after];
  bool is_same = graph->kind == MODEL_KIND_PTX60 ? a->location == b->location
                                                 : a->virtual_location == b->virtual_location;
  return before == after || (is_same && graph_is_po(graph, before, after));
}

static void find_heads(Graph *graph, uint32_t write) {
  if (!event_is_strong(&graph->events[write]))
    return;
  uint64_t *heads = graph_row(graph, graph->heads, write);
  BITS_EACH(bit, graph_row(graph, graph->thread_events, graph->events[write].thread),
            graph->words) {
    const Event *head = &graph->events[bit];
    if (!event_is_release(head))
      continue;
    if (head->kind == EVENT_FENCE ? graph_is_po(graph, (uint32_t)bit, write)
                                  : is_same_address_before(graph, (uint32_t)bit, write))
      graph_add_bit(graph, heads, (uint32_t)bit);
  }
}

static bool ends_pattern(const Graph *graph, uint32_t read, uint32_t last) {
  const Event *event = &graph->events[read];
  if (event->kind != EVENT_READ || !event_is_strong(event))
    return false;
  if (graph->events[last].kind == EVENT_FENCE)
    return !(event->flags & EVENT_NORET) && graph_is_po(graph, read, last);
  return is_same_address_before(graph, read, last);
}

// A new acquire ends patterns of reads before it, which may have their source already.
static void find_lasts(Graph *graph, uint32_t last) {
  if (!event_is_acquire(&graph->events[last]))
    return;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, graph->events[last].thread), graph->words) {
    uint32_t read = (uint32_t)bit;
    if (!ends_pattern(graph, read, last))
      continue;
    graph_add_bit(graph, graph_row(graph, graph->lasts, read), last);
    BITS_EACH(write, graph_row(graph, graph->observed, read), graph->words)
    synchronise(graph, (uint32_t)write, read);
  }
}

// Atomics that read the initial value keep every later morally strong write behind them.
static bool initial_atomics(Graph *graph, uint32_t write) {
  BITS_EACH(read, graph_row(graph, graph->initial_readers, graph->events[write].location),
            graph->words)
  if (graph->mate[read] != EVENT_NONE && !atomic_pair(graph, (uint32_t)read, write))
    return false;
  return true;
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
  return initial_atomics(graph, id);
}

// --- proxies (spec B.5): cause is recomputed pair by pair once the order has settled

// The block in whose shared memory the access is made; UINT32_MAX: it is made elsewhere.
static uint64_t owner_of(const Graph *graph, uint32_t access) {
  uint64_t address = graph->locations[graph->events[access].location].address;
  return address < MEMORY_SHARED_PHYSICAL ? UINT32_MAX : (address - MEMORY_SHARED_PHYSICAL) >> 32;
}

// An access to shared memory through the async proxy belongs to the block whose memory it is as
// well as to the one that issued it: where a copy is made for another block of the cluster
// nothing says which of them counts (spec H5).
static bool fence_reaches(const Graph *graph, uint32_t fence, uint32_t access) {
  return graph_is_same_cta(graph, fence, access) ||
         owner_of(graph, access) == graph->program->threads[graph->events[fence].thread].block;
}

// Calls for every event that stands for `event` on the generic side: itself if it is generic, else
// the proxy fences of its CTA that name its proxy and lie on the right side of it.
static void generic_sides(const Graph *graph, uint32_t id, bool is_exit, uint64_t *sides) {
  const Event *event = &graph->events[id];
  for (uint32_t w = 0; w < graph->words; w++)
    sides[w] = 0;
  if (event->proxy == PROXY_GENERIC) {
    bits_add(sides, id);
    return;
  }
  const uint64_t *reachable = is_exit ? graph_row(graph, graph->order_after, id)
                                      : graph_row(graph, graph->order_before, id);
  BITS_EACH(fence, graph->proxy_fences, graph->words)
  if (graph->events[fence].proxy == event->proxy && bits_has(reachable, (uint32_t)fence) &&
      fence_reaches(graph, (uint32_t)fence, id))
    bits_add(sides, (uint32_t)fence);
}

static bool passes_alias_fence(const Graph *graph, uint32_t from, uint32_t to) {
  BITS_EACH(fence, graph->proxy_fences, graph->words)
  if (graph->events[fence].proxy == PROXY_ALIAS &&
      graph_has(graph, graph->order_after, from, (uint32_t)fence) &&
      graph_has(graph, graph->order_after, (uint32_t)fence, to))
    return true;
  return false;
}

// One virtual address, or accesses of different sizes that have bytes in common.
static bool has_same_address(const Graph *graph, const Event *a, const Event *b) {
  return a->virtual_location == b->virtual_location ||
         (a->location != b->location &&
          locations_overlap(&graph->locations[a->location], &graph->locations[b->location]));
}

bool graph_is_proxy_ordered(const Graph *graph, uint32_t first, uint32_t second) {
  const Event *a = &graph->events[first], *b = &graph->events[second];
  if (!graph_has(graph, graph->order_after, first, second) ||
      (graph->is_restricted && !graph_has(graph, graph->time_after, first, second) &&
       !graph_is_ordered_by_restricted(graph, first, second)))
    return false;
  bool is_same_address = has_same_address(graph, a, b);
  if (is_same_address && a->proxy == b->proxy &&
      (a->proxy == PROXY_GENERIC || graph_is_same_cta(graph, first, second) ||
       owner_of(graph, first) != UINT32_MAX))
    return true;
  uint64_t *exits = graph_row(graph, graph->scratch, 0);
  uint64_t *entries = graph_row(graph, graph->scratch, 1);
  generic_sides(graph, first, true, exits);
  generic_sides(graph, second, false, entries);
  BITS_EACH(from, exits, graph->words)
  BITS_EACH(to, entries, graph->words) {
    if (is_same_address && graph_has(graph, graph->order_after, (uint32_t)from, (uint32_t)to))
      return true;
    if (passes_alias_fence(graph, (uint32_t)from, (uint32_t)to))
      return true;
  }
  return false;
}

static bool proxies_settled(Graph *graph) {
  if (!graph->has_proxies)
    return true;
  for (uint32_t first = 0; first < graph->event_count; first++) {
    const Event *event = &graph->events[first];
    if (!event_is_memory(event))
      continue;
    for (uint32_t second = 0; second < graph->event_count; second++) {
      const Event *other = &graph->events[second];
      bool is_same_place = other->location == event->location;
      if (!event_is_memory(other) || !(is_same_place || has_same_address(graph, event, other)) ||
          graph_has(graph, graph->cause_after, first, second) ||
          !graph_is_proxy_ordered(graph, first, second))
        continue;
      graph_add_bit(graph, graph_row(graph, graph->cause_after, first), second);
      graph_add_bit(graph, graph_row(graph, graph->cause_before, second), first);
      if (is_same_place && !cause_pair(graph, first, second))
        return false;
    }
  }
  return true;
}

const GraphRules ptx_rules = {
    .event_added = event_added,
    .order_added = order_added,
    .order_reached = order_reached,
    .source_set = source_set,
    .coherence_added = coherence_added,
    .settled = proxies_settled,
    .has_total_coherence = false,
};
