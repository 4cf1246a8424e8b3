// Orders of fence.sc events while an execution is built (spec B.4): nobody enumerates permutations.
// What the execution forbids is a set of pairs of fences (f, g) such that f may not come before g;
// where f and g have to be ordered, g then comes before f. A choice is left to the search only
// where it decides the coherence of racing writes. That the rest can be ordered is shown in
// fence_witness.c.
#include "model/fence_order.h"

#include "model/finish.h"

#include <string.h>

// --- fences without an order

// One word of the row of fences that are morally strong with `fence` and not ordered with it.
// Requires: a model whose SC events are all fences.
static uint64_t open_fences(const Graph *graph, uint32_t fence, uint32_t w) {
  return graph->sc_events[w] & graph_row(graph, graph->linked, fence)[w] &
         ~graph_row(graph, graph->order_after, fence)[w] &
         ~graph_row(graph, graph->order_before, fence)[w];
}

static bool find_open_fence(const Graph *graph, uint32_t fence, uint32_t *other) {
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t open = open_fences(graph, fence, w);
    if (!open)
      continue;
    *other = w * 64 + bits_first(open);
    return true;
  }
  return false;
}

bool graph_find_unordered_fences(const Graph *graph, uint32_t *first, uint32_t *second) {
  BITS_EACH(fence, graph->sc_events, graph->words)
  if (find_open_fence(graph, (uint32_t)fence, second)) {
    *first = (uint32_t)fence;
    return true;
  }
  return false;
}

// --- what an order of two fences would bring about

// Events that `write` may not be causally before: itself, what is coherence-before it, and the
// reads of that.
static void add_forbidden_after_write(const Graph *graph, uint32_t write, uint64_t *row) {
  bits_add(row, write);
  const uint64_t *before = graph_row(graph, graph->coherence_before, write);
  bits_add_row(row, before, graph->words);
  bits_add_row(row, graph_row(graph, graph->initial_readers, graph->events[write].location),
               graph->words);
  BITS_EACH(earlier, before, graph->words)
  bits_add_row(row, graph_row(graph, graph->readers, (uint32_t)earlier), graph->words);
}

static void add_forbidden_after(const Graph *graph, uint32_t event, uint64_t *row) {
  if (graph->events[event].kind == EVENT_WRITE)
    add_forbidden_after_write(graph, event, row);
  if (graph->events[event].kind != EVENT_READ)
    return;
  if (graph->source[event] < EVENT_INIT)
    bits_add(row, (uint32_t)graph->source[event]);
  BITS_EACH(write, graph_row(graph, graph->observed, event), graph->words)
  add_forbidden_after_write(graph, (uint32_t)write, row);
}

// Writes that coherence leaves unordered with `write`.
static void add_racing_writes(const Graph *graph, uint32_t write, uint64_t *row) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[write].location);
  const uint64_t *before = graph_row(graph, graph->coherence_before, write);
  const uint64_t *after = graph_row(graph, graph->coherence_after, write);
  uint64_t self = 1ull << (write & 63);
  for (uint32_t w = 0; w < graph->words; w++)
    row[w] |= writes[w] & ~before[w] & ~after[w] & ~(w == write >> 6 ? self : 0);
}

static void add_racing(const Graph *graph, uint32_t event, uint64_t *row) {
  if (graph->events[event].kind == EVENT_WRITE)
    add_racing_writes(graph, event, row);
  if (graph->events[event].kind == EVENT_READ)
    BITS_EACH(write, graph_row(graph, graph->observed, event), graph->words)
  add_racing_writes(graph, (uint32_t)write, row);
}

typedef void AddRow(const Graph *graph, uint32_t event, uint64_t *row);

// What follows from an event ordered before `fence`, united over all of them.
static void unite_before(const Graph *graph, uint32_t fence, AddRow *add, uint64_t *row) {
  BITS_EACH(event, graph_row(graph, graph->order_before, fence), graph->words)
  add(graph, (uint32_t)event, row);
}

// Fences that come before an event of the row.
static void find_fences_before(const Graph *graph, const uint64_t *events, uint64_t *fences) {
  memset(fences, 0, graph->words * sizeof *fences);
  BITS_EACH(event, events, graph->words)
  bits_add_row(fences, graph_row(graph, graph->order_before, (uint32_t)event), graph->words);
  for (uint32_t w = 0; w < graph->words; w++)
    fences[w] &= graph->sc_events[w];
}

static void find_fences_with(const Graph *graph, uint32_t fence, AddRow *add, uint64_t *fences) {
  uint64_t *events = graph_row(graph, graph->scratch, 0);
  memset(events, 0, graph->words * sizeof *events);
  unite_before(graph, fence, add, events);
  find_fences_before(graph, events, fences);
  bits_remove(fences, fence);
}

void fence_find_forbidden(const Graph *graph, uint32_t fence, uint64_t *fences) {
  find_fences_with(graph, fence, add_forbidden_after, fences);
}

// --- forced orders

// Events behind the fences that are not ordered with `fence`: only what these may not come behind
// forces an order.
static void find_rivals(const Graph *graph, uint32_t fence, uint64_t *row) {
  memset(row, 0, graph->words * sizeof *row);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = open_fences(graph, fence, w); left; left &= left - 1)
      bits_add_row(row, graph_row(graph, graph->order_after, w * 64 + bits_first(left)),
                   graph->words);
}

// Does one of the events access the location that `event` does? Most accesses have theirs for
// their thread alone.
static bool has_rival(const Graph *graph, uint32_t event, const uint64_t *rivals) {
  const Event *accessed = &graph->events[event];
  if (accessed->kind != EVENT_READ && accessed->kind != EVENT_WRITE)
    return false;
  if (!graph->locations[accessed->location].is_shared ||
      (accessed->kind == EVENT_READ && graph->source[event] == EVENT_INIT))
    return false;
  return bits_meet(graph_row(graph, graph->writes_at, accessed->location), rivals, graph->words) ||
         bits_meet(graph_row(graph, graph->reads_at, accessed->location), rivals, graph->words);
}

// Fences not ordered with `fence` that it may not come before.
static void find_forced(const Graph *graph, uint32_t fence, uint64_t *fences) {
  uint64_t *events = graph_row(graph, graph->scratch, 0);
  uint64_t *rivals = graph_row(graph, graph->scratch, 2);
  find_rivals(graph, fence, rivals);
  memset(events, 0, graph->words * sizeof *events);
  BITS_EACH(event, graph_row(graph, graph->order_before, fence), graph->words)
  if (has_rival(graph, (uint32_t)event, rivals))
    add_forbidden_after(graph, (uint32_t)event, events);
  for (uint32_t w = 0; w < graph->words; w++)
    events[w] &= rivals[w];
  find_fences_before(graph, events, fences);
}

// Pushes the orders of `fence` behind all that it may not precede; false: there are none.
static bool push_forced(Graph *graph, uint32_t fence) {
  uint64_t *fences = graph_row(graph, graph->scratch, 1);
  bool is_any = false;
  find_forced(graph, fence, fences);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = fences[w] & open_fences(graph, fence, w); left; left &= left - 1) {
      graph_push(graph, EDGE_ORDER, w * 64 + bits_first(left), fence);
      is_any = true;
    }
  return is_any;
}

bool graph_force_fences(Graph *graph) {
  uint32_t other;
  bool has_grown;
  if (!graph->rules || graph->has_proxies)
    return true;
  do {
    has_grown = false;
    BITS_EACH(fence, graph->sc_events, graph->words) {
      if (!find_open_fence(graph, (uint32_t)fence, &other) || !push_forced(graph, (uint32_t)fence))
        continue;
      has_grown = true;
      if (!graph_settle(graph))
        return false;
    }
  } while (has_grown);
  return true;
}

// --- orders that decide coherence

// Finds a fence before which `fence` would order racing writes. Where such a fence is not ordered
// with `fence` directly, any open pair may be part of a way between them.
static bool find_deciding_fence(const Graph *graph, uint32_t fence, uint32_t *other) {
  uint64_t *fences = graph_row(graph, graph->scratch, 1);
  bool is_any = false;
  find_fences_with(graph, fence, add_racing, fences);
  const uint64_t *before = graph_row(graph, graph->order_before, fence);
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t open = open_fences(graph, fence, w);
    if (fences[w] & open) {
      *other = w * 64 + bits_first(fences[w] & open);
      return true;
    }
    is_any = is_any || (fences[w] & ~before[w]);
  }
  return is_any && find_open_fence(graph, fence, other);
}

bool graph_find_deciding_fences(const Graph *graph, uint32_t *first, uint32_t *second) {
  if (!graph_find_unordered_fences(graph, first, second))
    return false;
  if (graph->has_proxies)
    return true; // causes are not known before the order is
  BITS_EACH(fence, graph->sc_events, graph->words)
  if (find_deciding_fence(graph, (uint32_t)fence, second)) {
    *first = (uint32_t)fence;
    return true;
  }
  return false;
}
