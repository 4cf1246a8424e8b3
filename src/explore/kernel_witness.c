// A witness of a kernel shows some threads, and of them the events that matter with those around
// them that order accesses: the whole execution has thousands of events.
#include "explore/kernel_witness.h"

#include "explore/kernel_findings.h"
#include "explore/witness.h"

#include <string.h>

enum {
  MOST_THREADS = 8,
  MOST_NEIGHBOURS = 8, // of each thread, besides the events that matter
  MOST_EVENTS = (int)VIEW_MOST_KEYS + MOST_THREADS * MOST_NEIGHBOURS,
};

// --- what to show

static bool has_key(const View *view, uint32_t event) {
  for (uint32_t i = 0; i < view->key_count; i++)
    if (view->keys[i] == event)
      return true;
  return false;
}

void view_add(View *view, uint32_t event) {
  if (event < EVENT_INIT && !has_key(view, event) && view->key_count < VIEW_MOST_KEYS)
    view->keys[view->key_count++] = event;
}

void view_add_read(View *view, uint32_t read, uint32_t newer) {
  view_add(view, read);
  view_add(view, kernel_source(view->search, read));
  if (newer == EVENT_NONE)
    return;
  Link link;
  view_add(view, newer);
  if (kernel_find_link(view->search, newer, read, &link)) {
    view_add(view, link.write);
    view_add(view, link.read);
  }
}

// --- drawing

typedef struct Drawing {
  const View *view;
  Witness *witness;
  uint32_t threads[MOST_THREADS]; // of the program
  uint32_t events[MOST_EVENTS];   // of the graph, in the order shown
  uint32_t count;
  uint32_t edge_capacity;
} Drawing;

static bool orders(const Event *event) {
  return event->kind >= EVENT_FENCE || event_is_strong(event);
}

static Span span_of(const Search *search, const Event *event) {
  const Thread *code = search->codes[event->thread].thread;
  return event->instruction < code->instruction_count ? code->instructions[event->instruction].span
                                                      : (Span){0};
}

static void show_event(Drawing *drawing, uint32_t event, uint32_t thread) {
  const Search *search = drawing->view->search;
  drawing->events[drawing->count++] = event;
  drawing->witness->events[drawing->witness->event_count++] =
      (WitnessEvent){thread, witness_label(search, event, drawing->view->arena),
                     span_of(search, &search->graph.events[event])};
}

static uint32_t find_thread(Drawing *drawing, uint32_t thread) {
  uint32_t i = 0;
  while (i < drawing->witness->thread_count && drawing->threads[i] != thread)
    i++;
  return i;
}

static void collect_threads(Drawing *drawing) {
  const View *view = drawing->view;
  Witness *witness = drawing->witness;
  witness->thread_names = ARENA_ARRAY(view->arena, const char *, MOST_THREADS);
  for (uint32_t i = 0; i < view->key_count; i++) {
    uint32_t thread = view->search->graph.events[view->keys[i]].thread;
    if (find_thread(drawing, thread) < witness->thread_count ||
        witness->thread_count == MOST_THREADS)
      continue;
    drawing->threads[witness->thread_count] = thread;
    witness->thread_names[witness->thread_count++] = view->search->program->threads[thread].name;
  }
}

// How many events of the thread that order accesses lie between the event and one that matters.
static uint32_t distance_to_key(const View *view, const uint32_t *events, uint32_t count,
                                uint32_t at) {
  uint32_t nearest = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t distance = i < at ? at - i : i - at;
    if (has_key(view, events[i]) && distance < nearest)
      nearest = distance;
  }
  return nearest;
}

// The events of a thread from which is chosen: those that matter or order accesses.
static uint32_t list_events(const View *view, uint32_t thread, uint32_t *events) {
  const Graph *graph = &view->search->graph;
  uint32_t count = 0;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, thread), graph->words) {
    const Event *event = &graph->events[bit];
    if (has_key(view, (uint32_t)bit) || (orders(event) && !(event->flags & EVENT_ASYNC)))
      events[count++] = (uint32_t)bit;
  }
  return count;
}

// The greatest distance from an event that matters at which at most MOST_NEIGHBOURS are shown.
static uint32_t choose_reach(const View *view, const uint32_t *events, uint32_t count) {
  uint32_t reach = 0, shown = 0;
  for (; reach < MOST_NEIGHBOURS; reach++) {
    for (uint32_t i = 0; i < count; i++)
      shown += distance_to_key(view, events, count, i) == reach + 1;
    if (shown > MOST_NEIGHBOURS)
      break;
  }
  return reach;
}

static void show_thread(Drawing *drawing, uint32_t number) {
  const View *view = drawing->view;
  ArenaMark mark = arena_mark(view->search->temporary);
  uint32_t *events =
      ARENA_ARRAY(view->search->temporary, uint32_t, view->search->graph.event_count + 1);
  uint32_t count = list_events(view, drawing->threads[number], events);
  uint32_t reach = choose_reach(view, events, count);
  for (uint32_t i = 0; i < count && drawing->count < MOST_EVENTS; i++)
    if (distance_to_key(view, events, count, i) <= reach)
      show_event(drawing, events[i], number);
  arena_reset(view->search->temporary, mark);
}

static void add_edge(Drawing *drawing, const char *relation, uint32_t from, uint32_t to,
                     bool is_highlighted) {
  Witness *witness = drawing->witness;
  if (witness->edge_count == drawing->edge_capacity)
    witness->edges = array_grow(drawing->view->arena, witness->edges, witness->edge_count,
                                &drawing->edge_capacity, sizeof *witness->edges);
  witness->edges[witness->edge_count++] = (WitnessEdge){relation, from, to, is_highlighted};
}

static bool is_from_read(const Search *search, uint32_t read, uint32_t write) {
  const Graph *graph = &search->graph;
  uint32_t source = kernel_source(search, read);
  if (graph->events[write].location != graph->events[read].location || source == EVENT_NONE ||
      source == write || graph->mate[read] == write ||
      graph->events[read].thread == graph->events[write].thread)
    return false;
  return source == EVENT_INIT || graph_has(graph, graph->coherence_after, source, write);
}

static bool is_synchronising(const Graph *graph, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < graph->sync_edge_count; i++)
    if (graph->sync_edges[i].from == from && graph->sync_edges[i].to == to)
      return true;
  return false;
}

static void show_pair(Drawing *drawing, uint32_t i, uint32_t j) {
  const Search *search = drawing->view->search;
  const Graph *graph = &search->graph;
  uint32_t from = drawing->events[i], to = drawing->events[j];
  const Event *first = &graph->events[from], *second = &graph->events[to];
  bool is_asked = drawing->view->relation && from == drawing->view->from && to == drawing->view->to;
  if (second->kind == EVENT_READ && kernel_source(search, to) == from)
    add_edge(drawing, "rf", i, j, false);
  if (first->kind == EVENT_READ && second->kind == EVENT_WRITE && is_from_read(search, from, to))
    add_edge(drawing, "fr", i, j, is_asked);
  else if (is_asked)
    add_edge(drawing, drawing->view->relation, i, j, true);
  if (first->kind == EVENT_WRITE && second->kind == EVENT_WRITE &&
      first->thread != second->thread && graph_has(graph, graph->coherence_after, from, to))
    add_edge(drawing, "co", i, j, false);
  if (is_synchronising(graph, from, to))
    add_edge(drawing, "order", i, j, false);
}

static void show_edges(Drawing *drawing) {
  const WitnessEvent *shown = drawing->witness->events;
  for (uint32_t i = 0; i < drawing->count; i++) {
    if (i + 1 < drawing->count && shown[i].thread == shown[i + 1].thread &&
        graph_is_po(&drawing->view->search->graph, drawing->events[i], drawing->events[i + 1]))
      add_edge(drawing, "po", i, i + 1, false);
    for (uint32_t j = 0; j < drawing->count; j++)
      if (i != j)
        show_pair(drawing, i, j);
  }
}

// The order in which the shown accesses happen in one run.
static void show_order(Drawing *drawing) {
  Witness *witness = drawing->witness;
  uint32_t *schedule, *order = ARENA_ARRAY(drawing->view->arena, uint32_t, drawing->count + 1);
  uint32_t count =
      kernel_find_schedule(drawing->view->search, drawing->view->search->temporary, &schedule);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < drawing->count; j++)
      if (drawing->events[j] == schedule[i])
        order[witness->order_count++] = j;
  witness->order = order;
}

Witness *view_draw(const View *view, const char *title, const char *explanation) {
  Drawing drawing = {.view = view, .witness = ARENA_NEW(view->arena, Witness)};
  Witness *witness = drawing.witness;
  ArenaMark mark = arena_mark(view->search->temporary);
  witness->title = title;
  witness->explanation = explanation;
  witness->events = ARENA_ARRAY(view->arena, WitnessEvent, MOST_EVENTS);
  collect_threads(&drawing);
  for (uint32_t i = 0; i < witness->thread_count; i++)
    show_thread(&drawing, i);
  show_edges(&drawing);
  if (view->is_ordered)
    show_order(&drawing);
  arena_reset(view->search->temporary, mark);
  return witness;
}

const Witness *kernel_draw_race(const Search *search, uint32_t a, uint32_t b, Arena *arena) {
  View view = {.search = search, .arena = arena, .relation = "race", .from = a, .to = b};
  view_add(&view, a);
  view_add(&view, b);
  return view_draw(&view, "data race",
                   arena_format(arena, "no order between %s: %s and %s: %s",
                                search->program->threads[search->graph.events[a].thread].name,
                                witness_label(search, a, arena),
                                search->program->threads[search->graph.events[b].thread].name,
                                witness_label(search, b, arena)));
}
