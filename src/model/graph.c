#include "model/graph.h"

#include "model/issue.h"
#include "model/rules.h"

#include <assert.h>
#include <string.h>

enum { SCRATCH_ROWS = 4 };

static uint64_t *new_rows(Graph *graph, uint32_t count) {
  return ARENA_ARRAY(graph->arena, uint64_t, (size_t)count * graph->words);
}

static const GraphRules *find_rules(ModelKind kind) {
  switch (kind) {
  case MODEL_KIND_PTX60:
  case MODEL_KIND_PTX:
    return &ptx_rules;
  case MODEL_KIND_CUDA:
  case MODEL_KIND_C11:
    return &cuda_rules;
  case MODEL_KIND_RC11:
    return &rc11_rules;
  case MODEL_KIND_TSO:
    return &tso_rules;
  case MODEL_KIND_SC:
    return &sc_rules;
  case MODEL_KIND_CAT:
    break;
  }
  return NULL;
}

// --- locations

static uint32_t granule_slot(const Graph *graph, uint64_t address) {
  uint64_t hash = address / LOCATION_GRANULE * 0x9e3779b97f4a7c15u;
  uint32_t mask = graph->location_slot_count - 1;
  uint32_t slot = (uint32_t)(hash >> 40) & mask;
  while (graph->location_slots[slot] &&
         graph->locations[graph->location_slots[slot] - 1].address / LOCATION_GRANULE !=
             address / LOCATION_GRANULE)
    slot = (slot + 1) & mask;
  return slot;
}

uint32_t graph_first_location(const Graph *graph, uint64_t address) {
  return graph->location_slots[granule_slot(graph, address)] - 1;
}

static uint32_t find_overlapping(const Graph *graph, uint32_t location, uint32_t from) {
  const Location *own = &graph->locations[location];
  while (from != EVENT_NONE && !locations_overlap(&graph->locations[from], own))
    from = graph->locations[from].next;
  return from;
}

uint32_t graph_first_overlapping(const Graph *graph, uint32_t location) {
  return find_overlapping(graph, location,
                          graph_first_location(graph, graph->locations[location].address));
}

uint32_t graph_next_overlapping(const Graph *graph, uint32_t location, uint32_t i) {
  return find_overlapping(graph, location, graph->locations[i].next);
}

uint32_t graph_intern_location(Graph *graph, Location location) {
  uint32_t slot = granule_slot(graph, location.address);
  uint32_t first = graph->location_slots[slot] - 1;
  for (uint32_t i = first; i != EVENT_NONE; i = graph->locations[i].next)
    if (graph->locations[i].address == location.address &&
        graph->locations[i].size == location.size)
      return i;
  if (graph->location_count == graph->location_capacity)
    return EVENT_NONE;
  location.next = first;
  graph->locations[graph->location_count] = location;
  graph->location_slots[slot] = ++graph->location_count;
  return graph->location_count - 1;
}

bool locations_overlap(const Location *a, const Location *b) {
  return a->address < b->address + b->size && b->address < a->address + a->size;
}

// A litmus test's objects are its locations; each has 16 bytes of its own.
static void init_locations(Graph *graph) {
  const Program *program = graph->program;
  graph->locations = ARENA_ARRAY(graph->arena, Location, graph->location_capacity + 1);
  graph->location_slot_count = 2;
  while (graph->location_slot_count < 2 * graph->location_capacity)
    graph->location_slot_count *= 2;
  graph->location_slots = ARENA_ARRAY(graph->arena, uint32_t, graph->location_slot_count);
  for (uint32_t i = 0; i < program->object_count; i++)
    graph_intern_location(graph, (Location){.address = (uint64_t)i * LOCATION_GRANULE,
                                            .size = sizeof(int64_t),
                                            .initial = program->objects[i].initial});
}

static bool has_proxy_accesses(const Program *program) {
  for (uint32_t t = 0; t < program->thread_count; t++) {
    const Thread *thread = &program->threads[t];
    if (t > 0 && thread->instructions == program->threads[t - 1].instructions)
      continue;
    for (uint32_t i = 0; i < thread->instruction_count; i++)
      if (thread->instructions[i].proxy != PROXY_GENERIC)
        return true;
  }
  return false;
}

// Fences that order accesses to shared memory only.
static bool has_restricted_fences(const Program *program, ModelKind kind) {
  if (kind != MODEL_KIND_PTX && kind != MODEL_KIND_PTX60)
    return false;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    const Thread *thread = &program->threads[t];
    if (t > 0 && thread->instructions == program->threads[t - 1].instructions)
      continue;
    for (uint32_t i = 0; i < thread->instruction_count; i++)
      if (thread->instructions[i].op == IR_FENCE &&
          (thread->instructions[i].flags & INSTRUCTION_OF_SHARED))
        return true;
  }
  return false;
}

// Only `ptx` knows proxies; the other models take every access for a generic one.
static bool uses_proxies(const Program *program, ModelKind kind) {
  if (kind != MODEL_KIND_PTX)
    return false;
  for (uint32_t i = 0; i < program->object_count; i++)
    if (program->objects[i].virtual_location != program->objects[i].location)
      return true;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instruction_count; i++)
      if (program->threads[t].instructions[i].proxy != PROXY_GENERIC ||
          program->threads[t].instructions[i].op == IR_FENCE_PROXY)
        return true;
  return false;
}

enum { MOST_PAIRED_THREADS = 64 };

// The scopes that contain both of two threads.
static uint8_t *find_scopes(const Graph *graph, Arena *arena) {
  const Program *program = graph->program;
  uint32_t count = program->thread_count;
  bool has_scopes = graph->kind != MODEL_KIND_RC11 && graph->kind != MODEL_KIND_C11;
  if (count > MOST_PAIRED_THREADS)
    return NULL;
  uint8_t *scopes = ARENA_ARRAY(arena, uint8_t, (size_t)count * count + 1);
  for (uint32_t i = 0; i < count * count; i++)
    for (Scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
      if (!has_scopes || ir_scope_contains(scope, &program->threads[i / count].place,
                                           &program->threads[i % count].place))
        scopes[i] |= (uint8_t)(1u << scope);
  return scopes;
}

void graph_init(Graph *graph, const Program *program, const Model *model, bool is_free,
                uint32_t capacity, uint32_t location_capacity, bool tracks_proxies, Trail *trail,
                Arena *arena, Arena *temporary) {
  *graph = (Graph){.program = program,
                   .kind = model->kind,
                   .trail = trail,
                   .arena = arena,
                   .temporary = temporary};
  graph->rules = is_free ? NULL : find_rules(model->kind);
  graph->words = bits_words(capacity);
  graph->capacity = graph->words * 64;
  graph->location_capacity =
      location_capacity > program->object_count ? location_capacity : program->object_count;
  graph->has_async_proxy = program->is_kernel && has_proxy_accesses(program);
  graph->has_proxies =
      graph->rules && (program->is_kernel ? tracks_proxies && graph->has_async_proxy &&
                                                model->kind == MODEL_KIND_PTX
                                          : uses_proxies(program, model->kind));
  graph->is_restricted = graph->rules && has_restricted_fences(program, model->kind);
  graph->events = ARENA_ARRAY(arena, Event, graph->capacity);
  graph->source = ARENA_ARRAY(arena, uint64_t, graph->capacity);
  graph->mate = ARENA_ARRAY(arena, uint64_t, graph->capacity);
  uint64_t **per_event[] = {
      &graph->order_after, &graph->order_before, &graph->coherence_after, &graph->coherence_before,
      &graph->linked,      &graph->readers,      &graph->observers,       &graph->observed,
      &graph->heads,       &graph->lasts};
  for (size_t i = 0; i < sizeof per_event / sizeof *per_event; i++)
    *per_event[i] = new_rows(graph, graph->capacity);
  graph->cause_after = graph->has_proxies ? new_rows(graph, graph->capacity) : graph->order_after;
  graph->cause_before = graph->has_proxies ? new_rows(graph, graph->capacity) : graph->order_before;
  bool has_time = (graph->kind == MODEL_KIND_RC11 && graph->rules) || graph->is_restricted;
  graph->time_after = has_time ? new_rows(graph, graph->capacity) : graph->order_after;
  graph->time_before = has_time ? new_rows(graph, graph->capacity) : graph->order_before;
  graph->writes_at = new_rows(graph, graph->location_capacity);
  graph->reads_at = new_rows(graph, graph->location_capacity);
  graph->initial_readers = new_rows(graph, graph->location_capacity);
  graph->thread_events = new_rows(graph, program->thread_count);
  graph->release_fences = new_rows(graph, 1);
  graph->acquire_fences = new_rows(graph, 1);
  graph->proxy_fences = new_rows(graph, 1);
  graph->sc_events = new_rows(graph, 1);
  graph->atomics = new_rows(graph, 1);
  graph->strong_events = new_rows(graph, 1);
  graph->asynchronous = new_rows(graph, 1);
  graph->of_tensormaps = new_rows(graph, 1);
  graph->scratch = new_rows(graph, SCRATCH_ROWS);
  init_locations(graph);
  graph->scopes = find_scopes(graph, arena);
  graph->last_event = ARENA_ARRAY(arena, uint64_t, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++)
    graph->last_event[t] = EVENT_NONE;
}

bool graph_is_po(const Graph *graph, uint32_t before, uint32_t after) {
  const Event *a = &graph->events[before], *b = &graph->events[after];
  return a->thread == b->thread && a->po_index < b->po_index &&
         !((a->flags | b->flags) & EVENT_ASYNC);
}

static bool is_same_device(const Placement *a, const Placement *b) {
  return a->is_host == b->is_host && (a->is_host || a->gpu == b->gpu);
}

bool graph_is_scope_mutual_by_places(const Graph *graph, uint32_t a, uint32_t b) {
  const Event *first = &graph->events[a], *second = &graph->events[b];
  if (graph->kind == MODEL_KIND_RC11 || graph->kind == MODEL_KIND_C11)
    return first->scope != SCOPE_NONE && second->scope != SCOPE_NONE;
  const Placement *here = &graph->program->threads[first->thread].place;
  const Placement *there = &graph->program->threads[second->thread].place;
  if (((first->flags | second->flags) & EVENT_DEVICE_ONLY) && !is_same_device(here, there))
    return false;
  return ir_scope_contains(first->scope, here, there) &&
         ir_scope_contains(second->scope, there, here);
}

bool graph_is_same_cta(const Graph *graph, uint32_t a, uint32_t b) {
  const Placement *first = &graph->program->threads[graph->events[a].thread].place;
  const Placement *second = &graph->program->threads[graph->events[b].thread].place;
  return ir_scope_contains(SCOPE_CTA, first, second);
}

bool graph_add_bit(Graph *graph, uint64_t *row, uint32_t i) {
  if (bits_has(row, i))
    return false;
  trail_set(graph->trail, &row[i >> 6], row[i >> 6] | 1ull << (i & 63));
  return true;
}

void graph_grow_pending(Graph *graph) {
  graph->pending = array_grow(graph->arena, graph->pending, graph->pending_count,
                              &graph->pending_capacity, sizeof *graph->pending);
}

// --- columns

static void note_column(Graph *graph, RowColumn column) {
  if (graph->columns_made == graph->column_capacity)
    graph->columns = array_grow(graph->arena, graph->columns, graph->columns_made,
                                &graph->column_capacity, sizeof *graph->columns);
  graph->columns[graph->columns_made++] = column;
}

void graph_add_column(Graph *graph, uint64_t *rows, const uint64_t *sources, uint32_t to) {
  uint32_t words = bits_words((uint32_t)graph->event_count);
  for (uint32_t w = 0; w < words; w++) {
    if (!sources[w])
      continue;
    if (graph->trail->is_marked)
      note_column(graph, (RowColumn){rows, to, w, sources[w]});
    for (uint64_t left = sources[w]; left; left &= left - 1)
      bits_add(graph_row(graph, rows, w * 64 + bits_first(left)), to);
  }
  trail_set(graph->trail, &graph->column_count, graph->columns_made);
}

void graph_undo(Graph *graph, TrailMark mark) {
  trail_undo(graph->trail, mark);
  while (graph->columns_made > graph->column_count) {
    RowColumn column = graph->columns[--graph->columns_made];
    for (uint64_t left = column.sources; left; left &= left - 1)
      bits_remove(graph_row(graph, column.rows, column.word * 64 + bits_first(left)), column.to);
  }
}

// What an edge puts before its end. Nothing but the order knows of issued operations.
static void find_sources(const Graph *graph, const uint64_t *before_rows, uint32_t from,
                         uint32_t to, uint64_t *row) {
  if ((graph->events[from].flags & EVENT_ISSUED) && before_rows == graph->order_before) {
    issue_find_sources(graph, from, to, row);
    return;
  }
  memcpy(row, before_rows + (size_t)from * graph->words, graph->words * sizeof *row);
  bits_add(row, from);
}

// Closes `after`/`before` under one more edge. Calls `added` for each event whose row grew.
static bool close_relation(Graph *graph, uint64_t *after, uint64_t *before, uint32_t from,
                           uint32_t to,
                           bool (*added)(Graph *graph, uint32_t event, const uint64_t *targets)) {
  if (graph_has(graph, after, from, to))
    return true;
  uint32_t words = graph->words;
  uint64_t *sources = graph_row(graph, graph->scratch, 0);
  uint64_t *targets = graph_row(graph, graph->scratch, 1);
  uint64_t *fresh = graph_row(graph, graph->scratch, 2);
  find_sources(graph, before, from, to, sources);
  memcpy(targets, graph_row(graph, after, to), words * sizeof *targets);
  bits_add(targets, to);
  BITS_EACH(target, targets, words) {
    uint64_t *row = graph_row(graph, before, (uint32_t)target);
    for (uint32_t w = 0; w < words; w++)
      if (sources[w] & ~row[w])
        trail_set(graph->trail, &row[w], row[w] | sources[w]);
  }
  // Rows are complete in both directions before anybody looks at them.
  BITS_EACH(source, sources, words) {
    uint64_t *row = graph_row(graph, after, (uint32_t)source);
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++) {
      fresh[w] = targets[w] & ~row[w];
      any |= fresh[w];
      if (fresh[w])
        trail_set(graph->trail, &row[w], row[w] | targets[w]);
    }
    if (any && !added(graph, (uint32_t)source, fresh))
      return false;
  }
  return true;
}

static bool order_grew(Graph *graph, uint32_t event, const uint64_t *targets) {
  return !graph->rules || graph->rules->order_added(graph, event, targets);
}

static bool coherence_grew(Graph *graph, uint32_t event, const uint64_t *targets) {
  if (bits_has(targets, event))
    return false;
  if (!graph->rules)
    return true;
  BITS_EACH(target, targets, graph->words)
  if (!graph->rules->coherence_added(graph, event, (uint32_t)target))
    return false;
  return true;
}

// The usual edge: to an event at the end, after which nothing is ordered. Each source gets one bit.
// Returns the events that `to` is newly after.
static const uint64_t *append(Graph *graph, uint64_t *after, uint64_t *before_rows, uint32_t from,
                              uint32_t to) {
  uint64_t *fresh = graph_row(graph, graph->scratch, 0);
  uint64_t *before = graph_row(graph, before_rows, to);
  find_sources(graph, before_rows, from, to, fresh);
  for (uint32_t w = 0; w < graph->words; w++) {
    fresh[w] &= ~before[w];
    if (fresh[w])
      trail_set(graph->trail, &before[w], before[w] | fresh[w]);
  }
  graph_add_column(graph, after, fresh, to);
  return fresh;
}

static bool append_order(Graph *graph, uint32_t from, uint32_t to) {
  return graph->rules->order_reached(
      graph, append(graph, graph->order_after, graph->order_before, from, to), to);
}

static bool has_time(const Graph *graph) {
  return graph->time_after != graph->order_after;
}

// Nothing happens before itself. Barriers do, in part: they are ordered both ways.
static bool time_grew(Graph *graph, uint32_t event, const uint64_t *targets) {
  return graph->is_restricted || !event_is_memory(&graph->events[event]) ||
         !bits_has(targets, event);
}

static bool draw_time(Graph *graph, uint32_t from, uint32_t to) {
  if (from != to && bits_is_empty(graph_row(graph, graph->time_after, to), graph->words)) {
    append(graph, graph->time_after, graph->time_before, from, to);
    return true;
  }
  return close_relation(graph, graph->time_after, graph->time_before, from, to, time_grew);
}

static bool is_appended(const Graph *graph, uint32_t from, uint32_t to) {
  return graph->rules && graph->rules->order_reached && from != to &&
         bits_is_empty(graph_row(graph, graph->order_after, to), graph->words) &&
         !graph_has(graph, graph->order_before, from, to);
}

// Program order is none of these.
static bool is_restricted(const Graph *graph, PendingEdge edge) {
  const Event *from = &graph->events[edge.from], *to = &graph->events[edge.to];
  return (event_is_restricted(from) || event_is_restricted(to)) &&
         (from->thread != to->thread || ((from->flags | to->flags) & EVENT_ASYNC));
}

static bool draw_edge(Graph *graph, PendingEdge edge) {
  if (edge.kind == EDGE_TIME ||
      (edge.kind == EDGE_ORDER && has_time(graph) && !is_restricted(graph, edge)))
    if (!draw_time(graph, edge.from, edge.to))
      return false;
  if (edge.kind == EDGE_TIME)
    return true;
  if (edge.kind == EDGE_ORDER && is_appended(graph, edge.from, edge.to))
    return append_order(graph, edge.from, edge.to);
  if (edge.kind == EDGE_ORDER)
    return close_relation(graph, graph->order_after, graph->order_before, edge.from, edge.to,
                          order_grew);
  if (edge.from == edge.to)
    return false;
  return close_relation(graph, graph->coherence_after, graph->coherence_before, edge.from, edge.to,
                        coherence_grew);
}

// On failure the queue is emptied; the caller undoes the trail.
bool graph_settle(Graph *graph) {
  uint32_t next = 0;
  bool is_consistent = true;
  do {
    while (is_consistent && next < graph->pending_count)
      is_consistent = draw_edge(graph, graph->pending[next++]);
    if (is_consistent && graph->rules && graph->rules->settled)
      is_consistent = graph->rules->settled(graph);
  } while (is_consistent && next < graph->pending_count);
  graph->pending_count = 0;
  return is_consistent;
}

static void index_event(Graph *graph, uint32_t id) {
  const Event *event = &graph->events[id];
  graph_add_bit(graph, graph_row(graph, graph->thread_events, event->thread), id);
  if (event->kind == EVENT_WRITE)
    graph_add_bit(graph, graph_row(graph, graph->writes_at, event->location), id);
  if (event->kind == EVENT_READ)
    graph_add_bit(graph, graph_row(graph, graph->reads_at, event->location), id);
  if (event->kind == EVENT_FENCE && event_is_release(event))
    graph_add_bit(graph, graph->release_fences, id);
  if (event->kind == EVENT_FENCE && event_is_acquire(event))
    graph_add_bit(graph, graph->acquire_fences, id);
  if (event->kind == EVENT_PROXY_FENCE)
    graph_add_bit(graph, graph->proxy_fences, id);
  if (event->sem == SEM_SC)
    graph_add_bit(graph, graph->sc_events, id);
  if (event_is_strong(event))
    graph_add_bit(graph, graph->strong_events, id);
  if (event_is_atomic(event))
    graph_add_bit(graph, graph->atomics, id);
  if (event->flags & EVENT_ASYNC)
    graph_add_bit(graph, graph->asynchronous, id);
  if (event->proxy == PROXY_TENSORMAP)
    graph_add_bit(graph, graph->of_tensormaps, id);
}

// Stays when the event is undone: a location is then taken for shared that is not, at worst.
static void note_user(Location *location, const Event *event) {
  uint32_t user = event->thread + 1;
  location->is_shared = location->is_shared || (event->flags & EVENT_ASYNC) ||
                        (location->user && location->user != user);
  location->user = user;
}

bool graph_add_event(Graph *graph, Event event) {
  uint32_t id = (uint32_t)graph->event_count;
  assert(id < graph->capacity);
  graph->events[id] = event;
  graph->source[id] = EVENT_NONE;
  graph->mate[id] = EVENT_NONE;
  trail_set(graph->trail, &graph->event_count, id + 1);
  index_event(graph, id);
  if (event.kind == EVENT_READ || event.kind == EVENT_WRITE)
    note_user(&graph->locations[event.location], &event);
  bool is_consistent = !graph->rules || graph->rules->event_added(graph, id);
  if (!(event.flags & EVENT_ASYNC))
    trail_set(graph->trail, &graph->last_event[event.thread], id);
  return graph_settle(graph) && is_consistent;
}

bool graph_strengthen_read(Graph *graph, uint32_t read, Sem sem) {
  Event *event = &graph->events[read], stronger = *event;
  stronger.sem = (uint8_t)sem;
  trail_set(graph->trail, &event->nature, stronger.nature);
  if (sem == SEM_SC)
    graph_add_bit(graph, graph->sc_events, read);
  if (graph->rules && graph->rules->read_strengthened)
    graph->rules->read_strengthened(graph, read);
  return graph_settle(graph);
}

bool graph_join_atomic(Graph *graph, uint32_t read, uint32_t write) {
  trail_set(graph->trail, &graph->mate[read], write);
  trail_set(graph->trail, &graph->mate[write], read);
  if (!graph->rules || graph->source[read] == EVENT_NONE)
    return true;
  bool is_consistent = graph->rules->source_set(graph, read, (uint32_t)graph->source[read]);
  return graph_settle(graph) && is_consistent;
}

bool graph_add_order(Graph *graph, SyncKind kind, uint32_t from, uint32_t to) {
  uint32_t count = (uint32_t)graph->sync_edge_count;
  if (count == graph->sync_edge_capacity)
    graph->sync_edges = array_grow(graph->arena, graph->sync_edges, count,
                                   &graph->sync_edge_capacity, sizeof *graph->sync_edges);
  graph->sync_edges[count] = (SyncEdge){kind, from, to};
  trail_set(graph->trail, &graph->sync_edge_count, count + 1);
  graph_push_sync(graph, from, to);
  return graph_settle(graph);
}

static void or_row(uint64_t *into, const uint64_t *row, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    into[w] |= row[w];
}

// A set of events and the words in which it has any.
typedef struct EventSet {
  const uint64_t *bits;
  uint32_t first, end;
} EventSet;

static EventSet event_set(const uint64_t *bits, uint32_t words) {
  EventSet set = {bits, 0, words};
  while (set.first < set.end && !bits[set.first])
    set.first++;
  while (set.first < set.end && !bits[set.end - 1])
    set.end--;
  return set;
}

static void add_set_by_trail(Graph *graph, uint64_t *into, EventSet set) {
  for (uint32_t w = set.first; w < set.end; w++)
    if (set.bits[w] & ~into[w])
      trail_set(graph->trail, &into[w], into[w] | set.bits[w]);
}

static bool order_pairs(Graph *graph, const uint32_t *from, uint32_t from_count, const uint32_t *to,
                        uint32_t to_count) {
  for (uint32_t i = 0; i < from_count; i++)
    for (uint32_t j = 0; j < to_count; j++)
      graph_push_sync(graph, from[i], to[j]);
  return graph_settle(graph);
}

// Does something come after the targets that is none of them and no source?
static bool leads_further(const Graph *graph, const uint64_t *after, const uint32_t *from,
                          uint32_t from_count, const uint32_t *to, uint32_t to_count) {
  uint64_t *known = graph_row(graph, graph->scratch, 2);
  memset(known, 0, graph->words * sizeof *known);
  for (uint32_t i = 0; i < from_count; i++)
    bits_add(known, from[i]);
  for (uint32_t i = 0; i < to_count; i++)
    bits_add(known, to[i]);
  for (uint32_t w = 0; w < graph->words; w++)
    if (after[w] & ~known[w])
      return true;
  return false;
}

static bool has_special(const Graph *graph, const uint32_t *events, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (graph->events[events[i]].flags & (EVENT_ISSUED | EVENT_OF_SHARED | EVENT_OF_INITS))
      return true;
  return false;
}

bool graph_order_sets(Graph *graph, const uint32_t *from, uint32_t from_count, const uint32_t *to,
                      uint32_t to_count) {
  uint64_t *sources = graph_row(graph, graph->scratch, 0);
  uint64_t *targets = graph_row(graph, graph->scratch, 1);
  memset(sources, 0, graph->words * sizeof *sources);
  memset(targets, 0, graph->words * sizeof *targets);
  for (uint32_t i = 0; i < to_count; i++) {
    or_row(targets, graph_row(graph, graph->order_after, to[i]), graph->words);
    bits_add(targets, to[i]);
  }
  // What is ordered after a target has to follow too. Those who meet come after each other.
  if (has_time(graph) || has_special(graph, from, from_count) || has_special(graph, to, to_count) ||
      leads_further(graph, targets, from, from_count, to, to_count))
    return order_pairs(graph, from, from_count, to, to_count);
  for (uint32_t i = 0; i < from_count; i++) {
    or_row(sources, graph_row(graph, graph->order_before, from[i]), graph->words);
    bits_add(sources, from[i]);
  }
  EventSet before = event_set(sources, graph->words), after = event_set(targets, graph->words);
  BITS_EACH(target, targets, graph->words)
  add_set_by_trail(graph, graph_row(graph, graph->order_before, (uint32_t)target), before);
  BITS_EACH(source, sources, graph->words)
  add_set_by_trail(graph, graph_row(graph, graph->order_after, (uint32_t)source), after);
  return true;
}

bool graph_order_fences(Graph *graph, uint32_t from, uint32_t to) {
  graph_push(graph, EDGE_ORDER, from, to);
  return graph_settle(graph);
}

bool graph_set_source(Graph *graph, uint32_t read, uint32_t source) {
  const Event *event = &graph->events[read];
  trail_set(graph->trail, &graph->source[read], source);
  uint64_t *readers = source == EVENT_INIT
                          ? graph_row(graph, graph->initial_readers, event->location)
                          : graph_row(graph, graph->readers, source);
  graph_add_bit(graph, readers, read);
  bool is_consistent = !graph->rules || graph->rules->source_set(graph, read, source);
  return graph_settle(graph) && is_consistent;
}

bool graph_add_coherence(Graph *graph, uint32_t from, uint32_t to) {
  graph_push(graph, EDGE_COHERENCE, from, to);
  return graph_settle(graph);
}

// The first write behind `write` that is to be ordered with it and is not.
static bool find_unordered_with(const Graph *graph, uint32_t write, uint32_t *other) {
  bool is_total = !graph->rules || graph->rules->has_total_coherence;
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[write].location);
  const uint64_t *after = graph_row(graph, graph->coherence_after, write);
  const uint64_t *before = graph_row(graph, graph->coherence_before, write);
  const uint64_t *linked = graph_row(graph, graph->linked, write);
  uint64_t behind = ~(((2ull << (write & 63)) - 1));
  for (uint32_t w = write >> 6; w < graph->words; w++, behind = ~0ull) {
    uint64_t open = writes[w] & ~after[w] & ~before[w] & behind & (is_total ? ~0ull : linked[w]);
    if (!open)
      continue;
    *other = w * 64 + bits_first(open);
    return true;
  }
  return false;
}

bool graph_find_unordered(const Graph *graph, uint32_t from, uint32_t *first, uint32_t *second) {
  uint32_t location = from == EVENT_NONE ? 0 : graph->events[from].location;
  for (; location < graph->location_count; location++, from = EVENT_NONE)
    BITS_EACH(write, graph_row(graph, graph->writes_at, location), graph->words)
  if ((from == EVENT_NONE || write >= from) &&
      find_unordered_with(graph, (uint32_t)write, second)) {
    *first = (uint32_t)write;
    return true;
  }
  return false;
}
