#include "explore/witness.h"

#include "explore/kernel_findings.h"

#include <string.h>

// --- events

static const char *location_name(const Search *search, uint32_t event, Arena *arena) {
  if (search->kernel)
    return kernel_location_name(search, event, arena);
  const Event *accessed = &search->graph.events[event];
  const Instruction *instruction =
      &search->codes[accessed->thread].thread->instructions[accessed->instruction];
  uint32_t object = instruction->op == IR_COPY_ASYNC && accessed->kind == EVENT_READ
                        ? instruction->source_object
                        : instruction->object;
  return search->program->objects[object].name;
}

// The value of an access; a pointer of a C function is the same in every run only as a place.
static const char *value_text(const Search *search, uint32_t event, Arena *arena) {
  int64_t value = search_event_value(search, event);
  const Region *region = NULL;
  const Event *accessed = &search->graph.events[event];
  if (search->guests && search->graph.locations[accessed->location].size == sizeof(uint64_t))
    region = memory_find(search->program->memory, (uint64_t)value, 1);
  if (!region)
    return kernel_print_value(search, accessed->location, value, arena);
  return arena_format(arena, "&%s + %llu", region->name,
                      (unsigned long long)value - (unsigned long long)region->address);
}

static const char *access_label(const Search *search, uint32_t event, Arena *arena) {
  const Event *accessed = &search->graph.events[event];
  const char *proxy = accessed->proxy == PROXY_GENERIC
                          ? ""
                          : arena_format(arena, ".%s", ir_proxy_name(accessed->proxy));
  const char *order = (accessed->flags & EVENT_VOLATILE) ? "volatile" : ir_sem_name(accessed->sem);
  const char *scope = accessed->scope == SCOPE_NONE
                          ? ""
                          : arena_format(arena, ".%s", ir_scope_name(accessed->scope));
  return arena_format(arena, "%s.%s%s%s %s = %s", accessed->kind == EVENT_READ ? "R" : "W", order,
                      scope, proxy, location_name(search, event, arena),
                      value_text(search, event, arena));
}

static const char *barrier_label(const Search *search, uint32_t event, Arena *arena) {
  const Event *barrier = &search->graph.events[event];
  const Thread *thread = search->codes[barrier->thread].thread;
  if (!(barrier->flags & (EVENT_ARRIVES | EVENT_WAITS)) && barrier->po_index == 0)
    return "start";
  return arena_format(arena, "B %s",
                      ir_print_instruction(arena, search->program, thread,
                                           &thread->instructions[barrier->instruction]));
}

const char *witness_label(const Search *search, uint32_t event, Arena *arena) {
  const Event *labelled = &search->graph.events[event];
  switch ((EventKind)labelled->kind) {
  case EVENT_READ:
  case EVENT_WRITE:
    return access_label(search, event, arena);
  case EVENT_FENCE:
    return arena_format(arena, "F.%s.%s", ir_sem_name(labelled->sem),
                        ir_scope_name(labelled->scope));
  case EVENT_PROXY_FENCE:
    return arena_format(arena, "F.proxy.%s", ir_proxy_name(labelled->proxy));
  case EVENT_BARRIER:
    break;
  }
  return barrier_label(search, event, arena);
}

static bool is_accessed(const Graph *graph, uint32_t location) {
  for (uint32_t w = 0; w < graph->words; w++)
    if (graph_row(graph, graph->writes_at, location)[w] |
        graph_row(graph, graph->reads_at, location)[w])
      return true;
  return false;
}

static const char *initial_label(const Search *search, uint32_t location, Arena *arena) {
  const Location *written = &search->graph.locations[location];
  if (!search->kernel)
    return arena_format(arena, "W.initial %s = %lld", search->program->objects[location].name,
                        (long long)search->program->objects[location].initial);
  const char *name = kernel_place_name(search, location, arena);
  if (written->is_undefined)
    return arena_format(arena, "W.initial %s: undefined", name);
  return arena_format(arena, "W.initial %s = %s", name,
                      kernel_print_value(search, location, written->initial, arena));
}

static void draw_events(const Search *search, WitnessDraft *draft) {
  const Graph *graph = &search->graph;
  Witness *witness = draft->witness;
  uint32_t limit = (uint32_t)graph->event_count + graph->location_count;
  draft->graph_count = (uint32_t)graph->event_count;
  draft->init_locations = ARENA_ARRAY(draft->arena, uint32_t, graph->location_count + 1);
  witness->events = ARENA_ARRAY(draft->arena, WitnessEvent, limit);
  for (uint32_t i = 0; i < graph->event_count; i++) {
    const Event *event = &graph->events[i];
    const Thread *thread = search->codes[event->thread].thread;
    Span span = event->instruction < thread->instruction_count
                    ? thread->instructions[event->instruction].span
                    : (Span){0};
    witness->events[witness->event_count++] =
        (WitnessEvent){event->thread, witness_label(search, i, draft->arena), span};
  }
  for (uint32_t location = 0; location < graph->location_count; location++) {
    if (!is_accessed(graph, location))
      continue;
    draft->init_locations[witness->event_count - draft->graph_count] = location;
    witness->events[witness->event_count++] =
        (WitnessEvent){WITNESS_INITIAL, initial_label(search, location, draft->arena), (Span){0}};
  }
}

// --- edges

static void add_edge(WitnessDraft *draft, const char *relation, uint32_t from, uint32_t to) {
  Witness *witness = draft->witness;
  if (witness->edge_count == draft->edge_capacity)
    witness->edges = array_grow(draft->arena, witness->edges, witness->edge_count,
                                &draft->edge_capacity, sizeof *witness->edges);
  witness->edges[witness->edge_count++] = (WitnessEdge){relation, from, to, false};
}

void witness_highlight(WitnessDraft *draft, const char *relation, uint32_t from, uint32_t to) {
  Witness *witness = draft->witness;
  for (uint32_t i = 0; i < witness->edge_count; i++) {
    WitnessEdge *edge = &witness->edges[i];
    if (edge->from == from && edge->to == to && strcmp(edge->relation, relation) == 0) {
      edge->highlighted = true;
      return;
    }
  }
  add_edge(draft, relation, from, to);
  witness->edges[witness->edge_count - 1].highlighted = true;
}

static uint32_t initial_write(const WitnessDraft *draft, uint32_t location) {
  uint32_t i = 0;
  while (draft->init_locations[i] != location)
    i++;
  return draft->graph_count + i;
}

// The next event of the thread in program order; EVENT_NONE: there is none. Events of a thread are
// added in this order.
static uint32_t next_event(const Graph *graph, uint32_t id) {
  const uint64_t *own = graph_row(graph, graph->thread_events, graph->events[id].thread);
  uint64_t behind = ~1ull << (id & 63);
  for (uint32_t w = id >> 6; w < graph->words; w++, behind = ~0ull) {
    uint64_t left = own[w] & ~graph->asynchronous[w] & behind;
    if (left)
      return w * 64 + bits_first(left);
  }
  return EVENT_NONE;
}

static void draw_program_order(const Graph *graph, WitnessDraft *draft) {
  for (uint32_t id = 0; id < graph->event_count; id++) {
    uint32_t next = bits_has(graph->asynchronous, id) ? EVENT_NONE : next_event(graph, id);
    if (next != EVENT_NONE)
      add_edge(draft, "po", id, next);
  }
}

// Is `to` the next write after `from`, with nothing in between?
static bool is_next_write(const Graph *graph, uint32_t from, uint32_t to) {
  const uint64_t *after = graph_row(graph, graph->coherence_after, from);
  const uint64_t *before = graph_row(graph, graph->coherence_before, to);
  for (uint32_t w = 0; w < graph->words; w++)
    if (after[w] & before[w])
      return false;
  return bits_has(after, to);
}

static bool is_first_write(const Graph *graph, uint32_t write) {
  const uint64_t *before = graph_row(graph, graph->coherence_before, write);
  for (uint32_t w = 0; w < graph->words; w++)
    if (before[w])
      return false;
  return true;
}

static void draw_from_reads(const Graph *graph, WitnessDraft *draft, uint32_t read) {
  uint64_t source = graph->source[read];
  BITS_EACH(write, graph_row(graph, graph->writes_at, graph->events[read].location), graph->words) {
    bool is_next = source == EVENT_INIT ? is_first_write(graph, (uint32_t)write)
                                        : is_next_write(graph, (uint32_t)source, (uint32_t)write);
    if (is_next && write != graph->mate[read])
      add_edge(draft, "fr", read, (uint32_t)write);
  }
}

static void draw_communication(const Graph *graph, WitnessDraft *draft) {
  for (uint32_t i = 0; i < graph->event_count; i++) {
    const Event *event = &graph->events[i];
    if (event->kind == EVENT_READ && graph->source[i] != EVENT_NONE) {
      uint64_t source = graph->source[i];
      add_edge(draft, "rf",
               source == EVENT_INIT ? initial_write(draft, event->location) : (uint32_t)source, i);
      draw_from_reads(graph, draft, i);
    }
    if (event->kind != EVENT_WRITE)
      continue;
    if (is_first_write(graph, i))
      add_edge(draft, "co", initial_write(draft, event->location), i);
    BITS_EACH(later, graph_row(graph, graph->coherence_after, i), graph->words)
    if (is_next_write(graph, i, (uint32_t)later))
      add_edge(draft, "co", i, (uint32_t)later);
  }
}

static void draw_synchronisation(const Graph *graph, WitnessDraft *draft) {
  for (uint32_t read = 0; read < graph->event_count; read++)
    BITS_EACH(write, graph_row(graph, graph->observed, read), graph->words)
  BITS_EACH(head, graph_row(graph, graph->heads, (uint32_t)write), graph->words)
  BITS_EACH(last, graph_row(graph, graph->lasts, read), graph->words)
  if (graph_has(graph, graph->linked, (uint32_t)head, (uint32_t)last) &&
      graph->events[head].thread != graph->events[last].thread)
    add_edge(draft, "sync", (uint32_t)head, (uint32_t)last);
}

static const char *sync_name(SyncKind kind) {
  static const char *const names[] = {"bsync", "csync", "wsync", "api", "aord"};
  return names[kind];
}

WitnessDraft witness_draw(const Search *search, const char *title, Arena *arena) {
  const Graph *graph = &search->graph;
  const Program *program = search->program;
  WitnessDraft draft = {.arena = arena, .witness = ARENA_NEW(arena, Witness)};
  draft.witness->title = title;
  draft.witness->thread_count = program->thread_count;
  draft.witness->thread_names = ARENA_ARRAY(arena, const char *, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    const Placement *place = &program->threads[t].place;
    draft.witness->thread_names[t] =
        place->is_host ? arena_format(arena, "%s@host", program->threads[t].name)
                       : arena_format(arena, "%s@cta %u,gpu %u", program->threads[t].name,
                                      place->cta, place->gpu);
  }
  draw_events(search, &draft);
  draw_program_order(graph, &draft);
  draw_communication(graph, &draft);
  draw_synchronisation(graph, &draft);
  for (uint32_t i = 0; i < graph->sync_edge_count; i++)
    add_edge(&draft, sync_name(graph->sync_edges[i].kind), graph->sync_edges[i].from,
             graph->sync_edges[i].to);
  return draft;
}
