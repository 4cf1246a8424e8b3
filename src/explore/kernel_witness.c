// A witness of a kernel shows two threads only, and of them what orders or could order the
// accesses: the whole execution has thousands of events.
#include "explore/kernel_findings.h"
#include "explore/witness.h"

enum { MOST_EVENTS = 12 }; // of each thread

typedef struct Slice {
  const Search *search;
  Arena *arena;
  Witness *witness;
  uint32_t events[2 * MOST_EVENTS + 2]; // of the graph, in the order shown
  uint32_t count;
  uint32_t edge_capacity;
} Slice;

static bool orders(const Event *event) {
  return event->kind >= EVENT_FENCE || event_is_strong(event);
}

static void show_event(Slice *slice, uint32_t event, uint32_t thread) {
  const Search *search = slice->search;
  const Event *shown = &search->graph.events[event];
  const Thread *code = search->codes[shown->thread].thread;
  slice->events[slice->count++] = event;
  slice->witness->events[slice->witness->event_count++] = (WitnessEvent){
      thread, witness_label(search, event, slice->arena),
      shown->instruction < code->instruction_count ? code->instructions[shown->instruction].span
                                                   : (Span){0}};
}

// The thread's accesses that are nearest to `access`, and it.
static void show_thread(Slice *slice, uint32_t access, uint32_t thread) {
  const Graph *graph = &slice->search->graph;
  const Event *centre = &graph->events[access];
  uint32_t first = 0, before = 0, shown = 0;
  BITS_EACH(event, graph_row(graph, graph->thread_events, centre->thread), graph->words)
  before += orders(&graph->events[event]) && event < access;
  if (before > MOST_EVENTS / 2)
    first = before - MOST_EVENTS / 2;
  uint32_t seen = 0;
  BITS_EACH(event, graph_row(graph, graph->thread_events, centre->thread), graph->words) {
    bool is_kept = event == access || (orders(&graph->events[event]) && seen++ >= first &&
                                       !(graph->events[event].flags & EVENT_ASYNC));
    if (!is_kept || (shown >= MOST_EVENTS && event != access))
      continue;
    show_event(slice, (uint32_t)event, thread);
    shown++;
  }
}

static void add_edge(Slice *slice, const char *relation, uint32_t from, uint32_t to,
                     bool is_highlighted) {
  Witness *witness = slice->witness;
  if (witness->edge_count == slice->edge_capacity)
    witness->edges = array_grow(slice->arena, witness->edges, witness->edge_count,
                                &slice->edge_capacity, sizeof *witness->edges);
  witness->edges[witness->edge_count++] = (WitnessEdge){relation, from, to, is_highlighted};
}

static void show_edges(Slice *slice, uint32_t a, uint32_t b) {
  const Graph *graph = &slice->search->graph;
  for (uint32_t i = 0; i < slice->count; i++) {
    if (i + 1 < slice->count &&
        slice->witness->events[i].thread == slice->witness->events[i + 1].thread)
      add_edge(slice, "po", i, i + 1, false);
    for (uint32_t j = 0; j < slice->count; j++) {
      if (graph->events[slice->events[j]].kind == EVENT_READ &&
          graph->source[slice->events[j]] == slice->events[i])
        add_edge(slice, "rf", i, j, false);
      if (slice->events[i] == a && slice->events[j] == b)
        add_edge(slice, "race", i, j, true);
    }
  }
}

const Witness *kernel_draw_race(const Search *search, uint32_t a, uint32_t b, Arena *arena) {
  Slice slice = {.search = search, .arena = arena, .witness = ARENA_NEW(arena, Witness)};
  uint32_t first = search->graph.events[a].thread, second = search->graph.events[b].thread;
  Witness *witness = slice.witness;
  witness->title = "data race";
  witness->events = ARENA_ARRAY(arena, WitnessEvent, sizeof slice.events / sizeof *slice.events);
  witness->thread_count = first == second ? 1 : 2;
  witness->thread_names = ARENA_ARRAY(arena, const char *, 2);
  witness->thread_names[0] = search->program->threads[first].name;
  witness->thread_names[1] = search->program->threads[second].name;
  show_thread(&slice, a, 0);
  if (first != second)
    show_thread(&slice, b, 1);
  show_edges(&slice, a, b);
  witness->explanation =
      arena_format(arena, "no order between %s: %s and %s: %s",
                   search->program->threads[first].name, witness_label(search, a, arena),
                   search->program->threads[second].name, witness_label(search, b, arena));
  return witness;
}
