// The SeqCst axiom of cuda (spec C.3) and rc11: acyclic(incl & (psc1 | psc2)), from scratch.
#include "model/finish.h"
#include "model/rules.h"

// A step of psc1 leads over scb = po | pol;hb;pol | hb & loc | co | fr, between seq_cst accesses,
// or from or to what happens before or after a seq_cst fence. Instead of scb as a whole there are
// two rows for each operation: `direct`, what scb reaches without a detour, and `middle`, what
// pol;hb reaches. A step ends at an operation if `direct` meets `entries`, or `middle` meets
// `detour_entries`, of that operation: itself, or for a fence also what happens before it, and
// what leads there by pol.
typedef struct Operation {
  uint64_t *direct, *middle, *entries, *detour_entries;
  uint64_t *psc2; // of a fence: what psc2 reaches
} Operation;

typedef struct SeqCst {
  const Graph *graph;
  Arena *arena;
  Operation **operations; // by event, made when first asked for
  uint64_t *state;        // of the search for a cycle: 0 new, 1 open, 2 done
} SeqCst;

static uint64_t *new_row(SeqCst *axiom) {
  return ARENA_ARRAY(axiom->arena, uint64_t, axiom->graph->words);
}

// --- program order

// The events of a thread are added in their order: one word of those after (before) `id`. Without
// those at its location if `is_away`.
static uint64_t po_word(const Graph *graph, uint32_t id, uint32_t w, bool is_after, bool is_away) {
  const Event *event = &graph->events[id];
  uint64_t row = graph_row(graph, graph->thread_events, event->thread)[w] & ~graph->asynchronous[w];
  uint64_t up_to = w < id >> 6 ? ~0ull : w > id >> 6 ? 0 : (2ull << (id & 63)) - 1;
  row &= is_after ? ~up_to : up_to;
  if (w == id >> 6)
    row &= ~(1ull << (id & 63));
  if (is_away && event_is_memory(event))
    row &= ~(graph_row(graph, graph->writes_at, event->location)[w] |
             graph_row(graph, graph->reads_at, event->location)[w]);
  return event->flags & EVENT_ASYNC ? 0 : row;
}

static void add_po(const Graph *graph, uint32_t id, bool is_after, bool is_away, uint64_t *row) {
  for (uint32_t w = 0; w < graph->words; w++)
    row[w] |= po_word(graph, id, w, is_after, is_away);
}

// --- communication

// Writes that are fr- or co-after a memory event.
static void add_later_writes(const Graph *graph, uint32_t id, uint64_t *row) {
  const Event *event = &graph->events[id];
  if (event->kind == EVENT_WRITE)
    bits_add_row(row, graph_row(graph, graph->coherence_after, id), graph->words);
  else if (graph->source[id] == EVENT_NONE)
    return; // not known yet; or a kernel's plain read: race-free, or reported
  else if (graph->source[id] == EVENT_INIT)
    bits_add_row(row, graph_row(graph, graph->writes_at, event->location), graph->words);
  else
    bits_add_row(row, graph_row(graph, graph->coherence_after, (uint32_t)graph->source[id]),
                 graph->words);
}

static void add_order_at_location(const Graph *graph, uint32_t id, uint64_t *row) {
  const Event *event = &graph->events[id];
  const uint64_t *after = graph_row(graph, graph->order_after, id);
  const uint64_t *writes = graph_row(graph, graph->writes_at, event->location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, event->location);
  for (uint32_t w = 0; w < graph->words; w++)
    row[w] |= after[w] & (writes[w] | reads[w]);
}

// eco = (rf | co | fr)+ from one memory event.
static void add_eco(SeqCst *axiom, uint32_t id, uint64_t *row) {
  const Graph *graph = axiom->graph;
  if (!event_is_memory(&graph->events[id]))
    return;
  uint64_t *later = new_row(axiom);
  add_later_writes(graph, id, later);
  bits_add_row(row, later, graph->words);
  BITS_EACH(write, later, graph->words)
  bits_add_row(row, graph_row(graph, graph->readers, (uint32_t)write), graph->words);
  if (graph->events[id].kind == EVENT_WRITE)
    bits_add_row(row, graph_row(graph, graph->readers, id), graph->words);
}

// --- steps

static void add_steps(SeqCst *axiom, uint32_t id, Operation *operation) {
  const Graph *graph = axiom->graph;
  add_po(graph, id, true, false, operation->direct);
  if (event_is_memory(&graph->events[id])) {
    add_order_at_location(graph, id, operation->direct);
    add_later_writes(graph, id, operation->direct);
  }
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = po_word(graph, id, w, true, true); left; left &= left - 1)
      bits_add_row(operation->middle,
                   graph_row(graph, graph->order_after, w * 64 + bits_first(left)), graph->words);
}

// hb ; eco ; hb, and hb itself, from a fence.
static void add_psc2(SeqCst *axiom, uint32_t fence, uint64_t *row) {
  const Graph *graph = axiom->graph;
  const uint64_t *after = graph_row(graph, graph->order_after, fence);
  uint64_t *communicated = new_row(axiom);
  BITS_EACH(event, after, graph->words)
  add_eco(axiom, (uint32_t)event, communicated);
  bits_add_row(row, after, graph->words);
  BITS_EACH(event, communicated, graph->words)
  bits_add_row(row, graph_row(graph, graph->order_after, (uint32_t)event), graph->words);
}

// What a fence stands for besides itself.
static void add_surroundings(SeqCst *axiom, uint32_t fence, Operation *operation) {
  const Graph *graph = axiom->graph;
  const uint64_t *before = graph_row(graph, graph->order_before, fence);
  BITS_EACH(event, graph_row(graph, graph->order_after, fence), graph->words)
  add_steps(axiom, (uint32_t)event, operation);
  bits_add_row(operation->entries, before, graph->words);
  BITS_EACH(event, before, graph->words)
  add_po(graph, (uint32_t)event, false, true, operation->detour_entries);
  operation->psc2 = new_row(axiom);
  add_psc2(axiom, fence, operation->psc2);
}

static const Operation *operation_of(SeqCst *axiom, uint32_t id) {
  if (axiom->operations[id])
    return axiom->operations[id];
  Operation *operation = axiom->operations[id] = ARENA_NEW(axiom->arena, Operation);
  *operation = (Operation){new_row(axiom), new_row(axiom), new_row(axiom), new_row(axiom), NULL};
  add_steps(axiom, id, operation);
  bits_add(operation->entries, id);
  add_po(axiom->graph, id, false, true, operation->detour_entries);
  if (axiom->graph->events[id].kind == EVENT_FENCE)
    add_surroundings(axiom, id, operation);
  return operation;
}

static bool has_step(SeqCst *axiom, uint32_t from, uint32_t to) {
  uint32_t words = axiom->graph->words;
  const Operation *first = operation_of(axiom, from), *second = operation_of(axiom, to);
  return bits_meet(first->direct, second->entries, words) ||
         bits_meet(first->middle, second->detour_entries, words) ||
         (first->psc2 && second->psc2 && bits_has(first->psc2, to));
}

static bool is_acyclic_from(SeqCst *axiom, uint32_t id) {
  const Graph *graph = axiom->graph;
  axiom->state[id] = 1;
  BITS_EACH(bit, graph->sc_events, graph->words) {
    uint32_t other = (uint32_t)bit;
    // Every event includes its own thread, so a step from an event to itself counts.
    if (axiom->state[other] == 2 || (other != id && !graph_has(graph, graph->linked, id, other)) ||
        !has_step(axiom, id, other))
      continue;
    if (axiom->state[other] == 1 || !is_acyclic_from(axiom, other))
      return false;
  }
  axiom->state[id] = 2;
  return true;
}

static bool is_seq_cst(const Graph *graph) {
  ArenaMark mark = arena_mark(graph->temporary);
  SeqCst axiom = {.graph = graph, .arena = graph->temporary};
  axiom.operations = ARENA_ARRAY(graph->temporary, Operation *, graph->event_count);
  axiom.state = ARENA_ARRAY(graph->temporary, uint64_t, graph->event_count);
  bool is_acyclic = true;
  BITS_EACH(event, graph->sc_events, graph->words)
  if (is_acyclic && axiom.state[event] == 0)
    is_acyclic = is_acyclic_from(&axiom, (uint32_t)event);
  arena_reset(graph->temporary, mark);
  return is_acyclic;
}

bool graph_is_seq_cst(const Graph *graph) {
  return graph->kind == MODEL_KIND_C11 ? graph_is_c11(graph) : is_seq_cst(graph);
}

static bool has_two(const uint64_t *row, uint32_t words) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < words && count < 2; w++)
    count += bits_count(row[w]);
  return count > 1;
}

// What the axiom relates only grows. One operation is in order with itself.
bool graph_may_be_seq_cst(const Graph *graph) {
  if (!has_two(graph->sc_events, graph->words))
    return true;
  return graph->kind == MODEL_KIND_C11 ? graph_may_be_c11(graph) : is_seq_cst(graph);
}
