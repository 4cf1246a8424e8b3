#include "model/judge.h"

#include "model/primitives.h"

#include <string.h>

void judge_init(Judge *judge, const Model *model, Arena *arena) {
  *judge = (Judge){.cat = model->cat,
                   .is_total = !model->has_partial_coherence,
                   .arena = arena,
                   .start = arena_mark(arena)};
}

// --- events as sets and relations see them

// An event of the graph, or an initial write.
typedef struct Seen {
  const Event *event; // of the graph, or NULL
  uint32_t id;        // of the graph
  uint32_t location;  // of a memory event, UINT32_MAX otherwise
  uint32_t virtual_location;
} Seen;

static Seen see(const Judge *judge, const Graph *graph, uint32_t i) {
  if (i >= judge->graph_count) {
    uint32_t location = judge->init_locations[i - judge->graph_count];
    return (Seen){NULL, EVENT_NONE, location, location};
  }
  const Event *event = &graph->events[i];
  bool is_memory = event_is_memory(event);
  return (Seen){event, i, is_memory ? event->location : UINT32_MAX,
                is_memory ? event->virtual_location : UINT32_MAX};
}

static bool has_kind(const Seen *seen, EventKind kind) {
  return seen->event && seen->event->kind == kind;
}

static bool has_sem(const Seen *seen, Sem sem) {
  return seen->event && seen->event->sem == sem && seen->event->kind <= EVENT_FENCE;
}

static bool is_proxy_access(const Seen *seen, Proxy proxy) {
  if (!seen->event)
    return proxy == PROXY_GENERIC;
  return event_is_memory(seen->event) && seen->event->proxy == (uint8_t)proxy;
}

static bool is_member(const Graph *graph, Primitive set, const Seen *seen) {
  bool is_write = !seen->event || has_kind(seen, EVENT_WRITE);
  bool is_memory = is_write || has_kind(seen, EVENT_READ);
  switch (set) {
  case PRIMITIVE_R:
    return has_kind(seen, EVENT_READ);
  case PRIMITIVE_W:
    return is_write;
  case PRIMITIVE_F:
    return has_kind(seen, EVENT_FENCE) || has_kind(seen, EVENT_PROXY_FENCE);
  case PRIMITIVE_B:
    return has_kind(seen, EVENT_BARRIER);
  case PRIMITIVE_IW:
    return !seen->event;
  case PRIMITIVE_M:
    return is_memory;
  case PRIMITIVE_ALL:
    return true;
  case PRIMITIVE_RLX:
    return has_sem(seen, SEM_RELAXED);
  case PRIMITIVE_ACQ:
    return has_sem(seen, SEM_ACQUIRE);
  case PRIMITIVE_REL:
    return has_sem(seen, SEM_RELEASE);
  case PRIMITIVE_ACQ_REL:
    return has_sem(seen, SEM_ACQ_REL);
  case PRIMITIVE_SC:
    return has_sem(seen, SEM_SC);
  case PRIMITIVE_NORET:
    return seen->event && (seen->event->flags & EVENT_NORET);
  case PRIMITIVE_A:
    return seen->event && event_is_atomic(seen->event);
  case PRIMITIVE_RMW:
    return seen->event && graph->mate[seen->id] != EVENT_NONE;
  case PRIMITIVE_GEN:
    return is_proxy_access(seen, PROXY_GENERIC);
  case PRIMITIVE_ASYNC:
    return is_proxy_access(seen, PROXY_ASYNC);
  case PRIMITIVE_TMAP:
    return is_proxy_access(seen, PROXY_TENSORMAP);
  case PRIMITIVE_TEX:
    return is_proxy_access(seen, PROXY_TEXTURE);
  case PRIMITIVE_SUR:
    return is_proxy_access(seen, PROXY_SURFACE);
  case PRIMITIVE_CON:
    return is_proxy_access(seen, PROXY_CONSTANT);
  case PRIMITIVE_ALIAS:
    return has_kind(seen, EVENT_PROXY_FENCE) && seen->event->proxy == PROXY_ALIAS;
  case PRIMITIVE_PF:
    return has_kind(seen, EVENT_PROXY_FENCE);
  case PRIMITIVE_MFENCE:
    return has_kind(seen, EVENT_FENCE) && seen->event->sem == SEM_SC;
  default:
    return false;
  }
}

static bool is_fence_of(const Seen *fence, const Seen *access) {
  return has_kind(fence, EVENT_PROXY_FENCE) && access->event && event_is_memory(access->event) &&
         access->event->proxy != PROXY_GENERIC && access->event->proxy == fence->event->proxy;
}

static bool has_same_proxy(const Seen *a, const Seen *b) {
  if (a->location == UINT32_MAX || b->location == UINT32_MAX)
    return false;
  Proxy first = a->event ? a->event->proxy : PROXY_GENERIC;
  Proxy second = b->event ? b->event->proxy : PROXY_GENERIC;
  return first == second;
}

// Relations that are a property of the two events.
static bool is_related(const Graph *graph, Primitive relation, const Seen *a, const Seen *b) {
  bool are_events = a->event && b->event;
  bool is_same_thread = are_events && a->event->thread == b->event->thread;
  switch (relation) {
  case PRIMITIVE_PO:
    return are_events && graph_is_po(graph, a->id, b->id);
  case PRIMITIVE_LOC:
    return a->location != UINT32_MAX && a->location == b->location;
  case PRIMITIVE_VLOC:
  case PRIMITIVE_FULL: // accesses through different aliases do not overlap (spec A.1)
    return a->virtual_location != UINT32_MAX && a->virtual_location == b->virtual_location;
  case PRIMITIVE_ID:
    return a->id == b->id && a->location == b->location;
  case PRIMITIVE_INT:
    return is_same_thread;
  case PRIMITIVE_EXT:
    return !is_same_thread;
  case PRIMITIVE_RMW_PAIR:
    return are_events && has_kind(a, EVENT_READ) && graph->mate[a->id] == b->id;
  case PRIMITIVE_SR:
    return are_events && event_is_strong(a->event) && event_is_strong(b->event) &&
           graph_is_scope_mutual(graph, a->id, b->id);
  case PRIMITIVE_SCTA:
    return are_events && graph_is_same_cta(graph, a->id, b->id);
  case PRIMITIVE_SPROXY:
    return has_same_proxy(a, b);
  case PRIMITIVE_PFX:
    return is_fence_of(a, b);
  case PRIMITIVE_INCL:
    return are_events && (is_same_thread || graph_is_scope_mutual(graph, a->id, b->id));
  default:
    return false;
  }
}

// --- filling the state

static uint64_t *input_row(Judge *judge, Primitive primitive, uint32_t from) {
  return cat_input_row(judge->state, primitive, from);
}

// Takes `first` and the events behind it out of a row.
static void cut_row(uint64_t *row, uint32_t words, uint32_t first) {
  for (uint32_t w = first >> 6; w < words; w++)
    row[w] &= w == first >> 6 ? (1ull << (first & 63)) - 1 : 0;
}

// The events before `first` are as they were, in the relations too.
static void fill_set(Judge *judge, const Graph *graph, Primitive set, uint32_t first) {
  uint64_t *row = input_row(judge, set, 0);
  if (row)
    cut_row(row, cat_state_words(judge->state), first);
  for (uint32_t i = first; row && i < judge->event_count; i++) {
    Seen seen = see(judge, graph, i);
    if (is_member(graph, set, &seen))
      bits_add(row, i);
  }
}

static void fill_relation(Judge *judge, const Graph *graph, Primitive relation, uint32_t first) {
  uint64_t *row = input_row(judge, relation, 0);
  uint32_t words = cat_state_words(judge->state);
  for (uint32_t i = 0; row && i < judge->event_count; i++, row += words) {
    uint32_t from = i < first ? first : 0;
    Seen a = see(judge, graph, i);
    cut_row(row, words, from);
    for (uint32_t j = from; j < judge->event_count; j++) {
      Seen b = see(judge, graph, j);
      if (is_related(graph, relation, &a, &b))
        bits_add(row, j);
    }
  }
}

// Copies rows of the graph (which may be longer than the state's).
static void fill_rows(Judge *judge, const Graph *graph, Primitive relation, const uint64_t *rows) {
  uint32_t words = bits_words(judge->graph_count);
  uint64_t *row = input_row(judge, relation, 0);
  for (uint32_t i = 0; row && i < judge->graph_count; i++, row += cat_state_words(judge->state))
    memcpy(row, rows + (size_t)i * graph->words, words * sizeof *row);
}

static Primitive sync_primitive(SyncKind kind) {
  switch (kind) {
  case SYNC_BARRIER:
    return PRIMITIVE_BSYNC;
  case SYNC_CLUSTER:
    return PRIMITIVE_CSYNC;
  case SYNC_WARP:
    return PRIMITIVE_WSYNC;
  case SYNC_API:
    return PRIMITIVE_API;
  case SYNC_ASYNC:
    break;
  }
  return PRIMITIVE_AORD;
}

static void fill_edge(Judge *judge, Primitive relation, uint32_t from, uint32_t to) {
  uint64_t *row = input_row(judge, relation, from);
  if (row)
    bits_add(row, to);
}

static void clear_relation(Judge *judge, Primitive relation) {
  uint64_t *rows = input_row(judge, relation, 0);
  if (rows)
    memset(rows, 0, (size_t)judge->event_count * cat_state_words(judge->state) * sizeof *rows);
}

// Relations that the engine supplies pair by pair.
static bool is_supplied(Primitive relation) {
  return relation == PRIMITIVE_DATA || relation == PRIMITIVE_CTRL ||
         relation == PRIMITIVE_SYNCBAR ||
         (relation >= PRIMITIVE_BSYNC && relation <= PRIMITIVE_AORD);
}

static void fill_fixed(Judge *judge, const Graph *graph, const JudgeInput *input, uint32_t first) {
  for (uint32_t p = 0; p < PRIMITIVE_COUNT; p++) {
    const CatPrimitive *primitive = &primitives[p];
    if (primitive->type == CAT_SET)
      fill_set(judge, graph, p, first);
    else if (is_supplied(p))
      clear_relation(judge, p);
    else if (primitive->change < CAT_CHOSEN)
      fill_relation(judge, graph, p, first);
  }
  fill_rows(judge, graph, PRIMITIVE_DATA, input->data);
  fill_rows(judge, graph, PRIMITIVE_CTRL, input->control);
  for (uint32_t i = 0; i < graph->sync_edge_count; i++) {
    const SyncEdge *edge = &graph->sync_edges[i];
    fill_edge(judge, sync_primitive(edge->kind), edge->from, edge->to);
    if (edge->kind == SYNC_BARRIER)
      fill_edge(judge, PRIMITIVE_SYNCBAR, edge->from, edge->to);
  }
}

uint32_t judge_initial_write(const Judge *judge, uint32_t location) {
  for (uint32_t i = judge->graph_count; i < judge->event_count; i++)
    if (judge->init_locations[i - judge->graph_count] == location)
      return i;
  return EVENT_NONE;
}

static void fill_communication(Judge *judge, const Graph *graph) {
  clear_relation(judge, PRIMITIVE_RF);
  clear_relation(judge, PRIMITIVE_CO);
  fill_rows(judge, graph, PRIMITIVE_CO, graph->coherence_after);
  for (uint32_t i = 0; i < judge->graph_count; i++) {
    const Event *event = &graph->events[i];
    if (event->kind == EVENT_WRITE)
      fill_edge(judge, PRIMITIVE_CO, judge_initial_write(judge, event->location), i);
    if (event->kind != EVENT_READ || graph->source[i] == EVENT_NONE)
      continue;
    uint64_t source = graph->source[i];
    fill_edge(judge, PRIMITIVE_RF,
              source == EVENT_INIT ? judge_initial_write(judge, event->location) : (uint32_t)source,
              i);
  }
}

// The order of SC fences that the graph's order implies.
static void fill_fences_from_order(Judge *judge, const Graph *graph, Primitive relation) {
  BITS_EACH(a, graph->sc_events, graph->words)
  BITS_EACH(b, graph->sc_events, graph->words)
  if (graph->events[a].kind == EVENT_FENCE && graph->events[b].kind == EVENT_FENCE &&
      graph_has(graph, graph->linked, (uint32_t)a, (uint32_t)b) &&
      graph_has(graph, graph->order_after, (uint32_t)a, (uint32_t)b))
    fill_edge(judge, relation, (uint32_t)a, (uint32_t)b);
}

static void fill_fences(Judge *judge, const Graph *graph, const JudgeInput *input,
                        Primitive relation) {
  clear_relation(judge, relation);
  if (input->fence_order)
    fill_rows(judge, graph, relation, input->fence_order);
  else
    fill_fences_from_order(judge, graph, relation);
}

// --- reuse of the fixed part

static bool rows_are_equal(const Graph *graph, const uint64_t *a, const uint64_t *b) {
  return memcmp(a, b, (size_t)graph->event_count * graph->words * sizeof *a) == 0;
}

static bool bytes_are_equal(const void *a, const void *b, size_t size) {
  return size == 0 || memcmp(a, b, size) == 0;
}

static bool is_current(const Judge *judge, const Graph *graph, const JudgeInput *input) {
  size_t count = graph->event_count;
  return judge->state && judge->graph_count == count &&
         judge->sync_edge_count == graph->sync_edge_count &&
         bytes_are_equal(judge->events, graph->events, count * sizeof *judge->events) &&
         bytes_are_equal(judge->mates, graph->mate, count * sizeof *judge->mates) &&
         bytes_are_equal(judge->sync_edges, graph->sync_edges,
                         graph->sync_edge_count * sizeof *judge->sync_edges) &&
         rows_are_equal(graph, judge->data, input->data) &&
         rows_are_equal(graph, judge->control, input->control);
}

static void find_initial_writes(Judge *judge, const Graph *graph) {
  uint32_t count = 0;
  for (uint32_t location = 0; location < graph->location_count; location++)
    if (!bits_is_empty(graph_row(graph, graph->writes_at, location), graph->words) ||
        !bits_is_empty(graph_row(graph, graph->reads_at, location), graph->words))
      judge->init_locations[count++] = location;
  judge->event_count = (uint32_t)graph->event_count + count;
}

// Room for as many events as fill the state's rows, however many of them are initial writes.
static void make_room(Judge *judge, const Graph *graph) {
  uint32_t words = bits_words((uint32_t)graph->event_count + graph->location_count + 1);
  size_t capacity = (size_t)words * 64;
  arena_reset(judge->arena, judge->start);
  judge->graph_count = 0;
  judge->sync_edge_capacity = 0;
  judge->init_locations = ARENA_ARRAY(judge->arena, uint32_t, capacity);
  judge->events = ARENA_ARRAY(judge->arena, Event, capacity);
  judge->mates = ARENA_ARRAY(judge->arena, uint64_t, capacity);
  judge->data = ARENA_ARRAY(judge->arena, uint64_t, capacity * words);
  judge->control = ARENA_ARRAY(judge->arena, uint64_t, capacity * words);
  judge->state = cat_state_new(judge->cat, (uint32_t)capacity, judge->arena);
  judge->bounds = NULL;
}

static bool has_room(const Judge *judge, const Graph *graph) {
  uint64_t count = graph->event_count + graph->location_count + 1;
  return judge->state && cat_state_words(judge->state) == bits_words((uint32_t)count);
}

// The first event that is not what it was.
static uint32_t find_change(const Judge *judge, const Graph *graph) {
  uint32_t i = 0;
  while (i < judge->graph_count && i < graph->event_count &&
         memcmp(&judge->events[i], &graph->events[i], sizeof(Event)) == 0 &&
         judge->mates[i] == graph->mate[i])
    i++;
  return i;
}

static void keep_sync_edges(Judge *judge, const Graph *graph) {
  uint32_t count = (uint32_t)graph->sync_edge_count;
  if (count > judge->sync_edge_capacity) {
    judge->sync_edge_capacity = 2 * count;
    judge->sync_edges = ARENA_ARRAY(judge->arena, SyncEdge, judge->sync_edge_capacity);
  }
  judge->sync_edge_count = count;
  if (count)
    memcpy(judge->sync_edges, graph->sync_edges, count * sizeof *judge->sync_edges);
}

// Events mostly come and go at the end: what relates the others stays.
static void renew(Judge *judge, const Graph *graph, const JudgeInput *input) {
  size_t count = graph->event_count;
  if (!has_room(judge, graph))
    make_room(judge, graph);
  uint32_t first = find_change(judge, graph);
  keep_sync_edges(judge, graph);
  judge->graph_count = (uint32_t)count;
  memcpy(judge->events + first, graph->events + first, (count - first) * sizeof(Event));
  memcpy(judge->mates + first, graph->mate + first, (count - first) * sizeof *judge->mates);
  memcpy(judge->data, input->data, count * graph->words * sizeof *judge->data);
  memcpy(judge->control, input->control, count * graph->words * sizeof *judge->control);
  find_initial_writes(judge, graph);
  cat_state_resize(judge->state, judge->event_count);
  fill_fixed(judge, graph, input, first);
}

bool judge_fill(Judge *judge, const Graph *graph, const JudgeInput *input) {
  bool was_current = is_current(judge, graph, input);
  if (!was_current)
    renew(judge, graph, input);
  fill_communication(judge, graph);
  fill_fences(judge, graph, input, PRIMITIVE_SC_ORDER);
  fill_fences(judge, graph, input, PRIMITIVE_SYNC_FENCE);
  return was_current;
}

void judge_evaluate(Judge *judge, const Graph *graph, const JudgeInput *input) {
  if (!judge_fill(judge, graph, input))
    cat_evaluate_fixed(judge->state);
  cat_evaluate_dynamic(judge->state);
}

// --- verdicts

static bool is_violated(const Judge *judge, uint32_t i) {
  return !cat_axiom(judge->cat, i)->is_flag && !cat_axiom_holds(judge->state, i);
}

bool judge_allows(const Judge *judge) {
  return judge_violation_count(judge) == 0;
}

uint32_t judge_violation_count(const Judge *judge) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < cat_axiom_count(judge->cat); i++)
    count += is_violated(judge, i);
  return count;
}
