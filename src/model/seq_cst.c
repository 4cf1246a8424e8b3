// The SeqCst axiom of the CUDA model (spec C.3): acyclic(incl & (psc1 | psc2)), from scratch.
#include "model/finish.h"
#include "model/rules.h"

#include <string.h>

typedef struct SeqCst {
  const Graph *graph;
  Arena *arena;
  uint64_t **scb;  // rows, made when first asked for
  uint64_t *state; // of the search for a cycle: 0 new, 1 open, 2 done
} SeqCst;

static uint64_t *new_row(SeqCst *axiom) {
  return ARENA_ARRAY(axiom->arena, uint64_t, axiom->graph->words);
}

static bool is_same_location(const Graph *graph, uint32_t a, uint32_t b) {
  const Event *first = &graph->events[a], *second = &graph->events[b];
  return event_is_memory(first) && event_is_memory(second) && first->location == second->location;
}

// Events of the thread po-after `id`; `is_away`: only those that are not at its location.
static void add_po(const Graph *graph, uint32_t id, bool is_away, uint64_t *row) {
  BITS_EACH(other, graph_row(graph, graph->thread_events, graph->events[id].thread), graph->words)
  if (graph_is_po(graph, id, (uint32_t)other) &&
      !(is_away && is_same_location(graph, id, (uint32_t)other)))
    bits_add(row, (uint32_t)other);
}

// pol ; hb ; pol
static void add_detours(SeqCst *axiom, uint32_t id, uint64_t *row) {
  const Graph *graph = axiom->graph;
  uint64_t *away = new_row(axiom), *middle = new_row(axiom);
  add_po(graph, id, true, away);
  BITS_EACH(event, away, graph->words)
  bits_add_row(middle, graph_row(graph, graph->order_after, (uint32_t)event), graph->words);
  BITS_EACH(event, middle, graph->words)
  add_po(graph, (uint32_t)event, true, row);
}

// Writes that are fr- or co-after a memory event.
static void add_later_writes(const Graph *graph, uint32_t id, uint64_t *row) {
  const Event *event = &graph->events[id];
  if (event->kind == EVENT_WRITE)
    bits_add_row(row, graph_row(graph, graph->coherence_after, id), graph->words);
  else if (graph->source[id] == EVENT_NONE)
    return; // a kernel's plain read: race-free, or reported
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

// scb = po | pol;hb;pol | hb & loc | co | fr
static const uint64_t *scb_row(SeqCst *axiom, uint32_t id) {
  if (axiom->scb[id])
    return axiom->scb[id];
  const Graph *graph = axiom->graph;
  uint64_t *row = axiom->scb[id] = new_row(axiom);
  add_po(graph, id, false, row);
  add_detours(axiom, id, row);
  if (event_is_memory(&graph->events[id])) {
    add_order_at_location(graph, id, row);
    add_later_writes(graph, id, row);
  }
  return row;
}

// eco = (rf | co | fr)+ from one memory event.
static void add_eco(const Graph *graph, uint32_t id, uint64_t *row) {
  if (!event_is_memory(&graph->events[id]))
    return;
  uint64_t later[graph->words];
  memset(later, 0, sizeof later);
  add_later_writes(graph, id, later);
  bits_add_row(row, later, graph->words);
  BITS_EACH(write, later, graph->words)
  bits_add_row(row, graph_row(graph, graph->readers, (uint32_t)write), graph->words);
  if (graph->events[id].kind == EVENT_WRITE)
    bits_add_row(row, graph_row(graph, graph->readers, id), graph->words);
}

// hb ; eco ; hb, and hb itself, from a fence.
static void add_psc2(SeqCst *axiom, uint32_t fence, uint64_t *row) {
  const Graph *graph = axiom->graph;
  const uint64_t *after = graph_row(graph, graph->order_after, fence);
  uint64_t *communicated = new_row(axiom);
  BITS_EACH(event, after, graph->words)
  add_eco(graph, (uint32_t)event, communicated);
  bits_add_row(row, after, graph->words);
  BITS_EACH(event, communicated, graph->words)
  bits_add_row(row, graph_row(graph, graph->order_after, (uint32_t)event), graph->words);
}

// Everything that psc1 reaches from `id` before its last step.
static void add_psc1(SeqCst *axiom, uint32_t id, uint64_t *row) {
  const Graph *graph = axiom->graph;
  bits_add_row(row, scb_row(axiom, id), graph->words);
  if (graph->events[id].kind == EVENT_FENCE)
    BITS_EACH(event, graph_row(graph, graph->order_after, id), graph->words)
  bits_add_row(row, scb_row(axiom, (uint32_t)event), graph->words);
}

static bool ends_psc1(const Graph *graph, const uint64_t *reached, uint32_t id) {
  if (bits_has(reached, id))
    return true;
  return graph->events[id].kind == EVENT_FENCE &&
         bits_meet(reached, graph_row(graph, graph->order_before, id), graph->words);
}

static bool is_acyclic_from(SeqCst *axiom, uint32_t id) {
  const Graph *graph = axiom->graph;
  axiom->state[id] = 1;
  uint64_t *psc1 = new_row(axiom), *psc2 = new_row(axiom);
  add_psc1(axiom, id, psc1);
  bool is_fence = graph->events[id].kind == EVENT_FENCE;
  if (is_fence)
    add_psc2(axiom, id, psc2);
  BITS_EACH(bit, graph->sc_events, graph->words) {
    uint32_t other = (uint32_t)bit;
    bool is_other_fence = graph->events[other].kind == EVENT_FENCE;
    // Every event includes its own thread, so a step from an event to itself counts.
    if (other != id && !graph_has(graph, graph->linked, id, other))
      continue;
    if (!ends_psc1(graph, psc1, other) && !(is_other_fence && bits_has(psc2, other)))
      continue;
    if (axiom->state[other] == 1 || (axiom->state[other] == 0 && !is_acyclic_from(axiom, other)))
      return false;
  }
  axiom->state[id] = 2;
  return true;
}

bool graph_is_seq_cst(const Graph *graph) {
  if (graph->kind == MODEL_KIND_C11)
    return graph_is_c11(graph);
  ArenaMark mark = arena_mark(graph->temporary);
  SeqCst axiom = {.graph = graph, .arena = graph->temporary};
  axiom.scb = ARENA_ARRAY(graph->temporary, uint64_t *, graph->event_count);
  axiom.state = ARENA_ARRAY(graph->temporary, uint64_t, graph->event_count);
  bool is_acyclic = true;
  BITS_EACH(event, graph->sc_events, graph->words)
  if (is_acyclic && axiom.state[event] == 0)
    is_acyclic = is_acyclic_from(&axiom, (uint32_t)event);
  arena_reset(graph->temporary, mark);
  return is_acyclic;
}
