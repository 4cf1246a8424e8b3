// Where neither propagation nor a decision of the search fixes coherence: orders of SC fences that
// order racing writes (ptx), and partial coherence under an interpreted text.
#include "explore/search.h"
#include "model/finish.h"

#include <string.h>

// Coherence orders met so far, as copies of the graph's rows.
typedef struct Snapshots {
  Arena *arena;
  uint64_t **items;
  uint32_t count, capacity;
} Snapshots;

static size_t snapshot_size(const Graph *graph) {
  return (size_t)graph->event_count * graph->words;
}

static bool is_equal(const Graph *graph, const uint64_t *a, const uint64_t *b) {
  return memcmp(a, b, snapshot_size(graph) * sizeof *a) == 0;
}

// False: the order is there already.
static bool add_snapshot(Snapshots *snapshots, const Graph *graph, const uint64_t *coherence) {
  for (uint32_t i = 0; i < snapshots->count; i++)
    if (is_equal(graph, snapshots->items[i], coherence))
      return false;
  uint64_t *copy = ARENA_ARRAY(snapshots->arena, uint64_t, snapshot_size(graph));
  memcpy(copy, coherence, snapshot_size(graph) * sizeof *copy);
  array_push(snapshots->arena, snapshots, copy);
  return true;
}

// --- ptx: orders of SC fences

// Another order of the fences that leads to the same execution may leave other accesses unordered.
static void visit_fence_order(Search *search, Snapshots *seen) {
  const Graph *graph = &search->graph;
  if (!graph_has_fence_order(graph, (FencePair){EVENT_NONE, EVENT_NONE}))
    return;
  if (add_snapshot(seen, graph, graph->coherence_after) || search->visit)
    leaf_complete(search); // whoever looks for a race sees the order in which it was found
  else if (search->options->properties & EXPLORE_RACE)
    race_find(search);
}

static void try_fence_orders(Search *search, Snapshots *seen) {
  Graph *graph = &search->graph;
  uint32_t first, second;
  if (!graph_find_deciding_fences(graph, &first, &second)) {
    visit_fence_order(search, seen);
    return;
  }
  for (uint32_t i = 0; i < 2; i++) {
    TrailMark mark = trail_mark(&search->trail);
    if (i == 0 ? graph_order_fences(graph, first, second)
               : graph_order_fences(graph, second, first))
      try_fence_orders(search, seen);
    graph_undo(&search->graph, mark);
  }
}

void enumerate_fence_orders(Search *search) {
  ArenaMark mark = arena_mark(search->temporary);
  Snapshots seen = {.arena = search->temporary};
  try_fence_orders(search, &seen);
  if (!seen.count)
    search->counts.blocked++;
  arena_reset(search->temporary, mark);
}

// --- interpreted texts with partial coherence
//
// An execution is reads-from and a coherence order that is least for some order of the SC fences
// (spec B.1: every further pair only adds constraints). So for each acyclic order of the fences all
// partial orders of the writes are judged, and the least ones of those that are allowed are kept.
// An order that is allowed as it stands needs no further pairs, and writes are kept apart only
// where no axiom wants them ordered.

typedef struct Enumeration {
  Search *search;
  Dependencies dependencies;
  uint64_t *fence_order;   // rows: the orientation of each pair
  uint64_t *fence_closed;  // closed
  uint64_t *apart;         // rows: writes decided to be unordered
  Snapshots allowed;       // under the current order of the fences
  Snapshots found;         // least ones under any order
  uint64_t **found_fences; // an order of the fences for each found one
  uint32_t found_fences_capacity;
} Enumeration;

static bool is_apart(const Enumeration *enumeration, uint32_t a, uint32_t b) {
  return graph_has(&enumeration->search->graph, enumeration->apart, a, b);
}

static bool is_decided(const Enumeration *enumeration, uint32_t a, uint32_t b) {
  const Graph *graph = &enumeration->search->graph;
  return graph_has(graph, graph->coherence_after, a, b) ||
         graph_has(graph, graph->coherence_after, b, a) || is_apart(enumeration, a, b);
}

static bool find_undecided_pair(const Enumeration *enumeration, uint32_t *first, uint32_t *second) {
  const Graph *graph = &enumeration->search->graph;
  for (uint32_t location = 0; location < graph->location_count; location++) {
    const uint64_t *writes = graph_row(graph, graph->writes_at, location);
    BITS_EACH(a, writes, graph->words)
    BITS_EACH(b, writes, graph->words)
    if (a < b && !is_decided(enumeration, (uint32_t)a, (uint32_t)b)) {
      *first = (uint32_t)a;
      *second = (uint32_t)b;
      return true;
    }
  }
  return false;
}

static JudgeInput describe(const Enumeration *enumeration) {
  return (JudgeInput){.data = enumeration->dependencies.data,
                      .control = enumeration->dependencies.control,
                      .fence_order = enumeration->fence_order,
                      .apart = enumeration->apart};
}

static bool propagate(Enumeration *enumeration) {
  JudgeInput input = describe(enumeration);
  return judge_propagate(enumeration->search->judge, &enumeration->search->graph, &input, true);
}

static void evaluate(Enumeration *enumeration) {
  JudgeInput input = describe(enumeration);
  judge_evaluate(enumeration->search->judge, &enumeration->search->graph, &input);
}

static void try_coherence(Enumeration *enumeration);

static void try_ordered(Enumeration *enumeration, uint32_t from, uint32_t to) {
  Search *search = enumeration->search;
  TrailMark mark = trail_mark(&search->trail);
  if (graph_add_coherence(&search->graph, from, to))
    try_coherence(enumeration);
  graph_undo(&search->graph, mark);
}

static void try_apart(Enumeration *enumeration, uint32_t first, uint32_t second) {
  Search *search = enumeration->search;
  TrailMark mark = trail_mark(&search->trail);
  graph_add_bit(&search->graph, graph_row(&search->graph, enumeration->apart, first), second);
  graph_add_bit(&search->graph, graph_row(&search->graph, enumeration->apart, second), first);
  try_coherence(enumeration);
  graph_undo(&search->graph, mark);
}

static void try_coherence(Enumeration *enumeration) {
  Search *search = enumeration->search;
  uint32_t first, second;
  if (!propagate(enumeration))
    return;
  evaluate(enumeration);
  if (judge_allows(search->judge)) {
    add_snapshot(&enumeration->allowed, &search->graph, search->graph.coherence_after);
    return;
  }
  if (!find_undecided_pair(enumeration, &first, &second))
    return;
  try_ordered(enumeration, first, second);
  try_ordered(enumeration, second, first);
  try_apart(enumeration, first, second);
}

static bool is_subset(const Graph *graph, const uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < snapshot_size(graph); i++)
    if (a[i] & ~b[i])
      return false;
  return true;
}

static bool is_least(const Enumeration *enumeration, uint32_t i) {
  const Graph *graph = &enumeration->search->graph;
  const Snapshots *allowed = &enumeration->allowed;
  for (uint32_t j = 0; j < allowed->count; j++)
    if (i != j && is_subset(graph, allowed->items[j], allowed->items[i]))
      return false;
  return true;
}

static void keep_least(Enumeration *enumeration) {
  const Graph *graph = &enumeration->search->graph;
  Snapshots *found = &enumeration->found;
  for (uint32_t i = 0; i < enumeration->allowed.count; i++) {
    if (!is_least(enumeration, i) || !add_snapshot(found, graph, enumeration->allowed.items[i]))
      continue;
    if (found->count > enumeration->found_fences_capacity)
      enumeration->found_fences =
          array_grow(found->arena, enumeration->found_fences, found->count - 1,
                     &enumeration->found_fences_capacity, sizeof *enumeration->found_fences);
    uint64_t *fences = ARENA_ARRAY(found->arena, uint64_t, snapshot_size(graph));
    memcpy(fences, enumeration->fence_order, snapshot_size(graph) * sizeof *fences);
    enumeration->found_fences[found->count - 1] = fences;
  }
}

// --- orders of the fences

static bool find_fence_pair(const Enumeration *enumeration, uint32_t *first, uint32_t *second) {
  const Graph *graph = &enumeration->search->graph;
  BITS_EACH(a, graph->sc_events, graph->words)
  BITS_EACH(b, graph->sc_events, graph->words)
  if (a < b && judge_is_fence_pair(graph, (uint32_t)a, (uint32_t)b) &&
      !graph_has(graph, enumeration->fence_order, (uint32_t)a, (uint32_t)b) &&
      !graph_has(graph, enumeration->fence_order, (uint32_t)b, (uint32_t)a)) {
    *first = (uint32_t)a;
    *second = (uint32_t)b;
    return true;
  }
  return false;
}

// Adds a pair and closes; false: a cycle.
static bool add_fence_pair(Enumeration *enumeration, uint32_t from, uint32_t to) {
  Graph *graph = &enumeration->search->graph;
  if (graph_has(graph, enumeration->fence_closed, to, from))
    return false;
  graph_add_bit(graph, graph_row(graph, enumeration->fence_order, from), to);
  for (uint32_t a = 0; a < graph->event_count; a++) {
    uint64_t *row = graph_row(graph, enumeration->fence_closed, a);
    if (a != from && !bits_has(row, from))
      continue;
    graph_add_bit(graph, row, to);
    BITS_EACH(b, graph_row(graph, enumeration->fence_closed, to), graph->words)
    graph_add_bit(graph, row, (uint32_t)b);
  }
  return true;
}

// Takes over the pairs that have to be ordered in one way; false: a cycle.
static bool add_forced_fences(Enumeration *enumeration) {
  const Graph *graph = &enumeration->search->graph;
  const uint64_t *forced = enumeration->search->judge->fences;
  BITS_EACH(a, graph->sc_events, graph->words)
  BITS_EACH(b, graph->sc_events, graph->words)
  if (graph_has(graph, forced, (uint32_t)a, (uint32_t)b) &&
      !graph_has(graph, enumeration->fence_order, (uint32_t)a, (uint32_t)b) &&
      !add_fence_pair(enumeration, (uint32_t)a, (uint32_t)b))
    return false;
  return true;
}

static void try_fences(Enumeration *enumeration) {
  Search *search = enumeration->search;
  uint32_t first, second;
  if (!propagate(enumeration) || !add_forced_fences(enumeration))
    return;
  if (!find_fence_pair(enumeration, &first, &second)) {
    enumeration->allowed.count = 0;
    try_coherence(enumeration);
    keep_least(enumeration);
    return;
  }
  for (uint32_t i = 0; i < 2; i++) {
    TrailMark mark = trail_mark(&search->trail);
    if (i == 0 ? add_fence_pair(enumeration, first, second)
               : add_fence_pair(enumeration, second, first))
      try_fences(enumeration);
    graph_undo(&search->graph, mark);
  }
}

// Brings the graph to a found order; the caller undoes it.
static void take_found(Enumeration *enumeration, uint32_t i) {
  Graph *graph = &enumeration->search->graph;
  for (uint32_t a = 0; a < graph->event_count; a++)
    BITS_EACH(b, enumeration->found.items[i] + (size_t)a * graph->words, graph->words)
  graph_add_coherence(graph, a, (uint32_t)b);
  enumeration->fence_order = enumeration->found_fences[i];
}

static void visit_found(Enumeration *enumeration, uint32_t i) {
  Search *search = enumeration->search;
  TrailMark mark = trail_mark(&search->trail);
  take_found(enumeration, i);
  evaluate(enumeration);
  leaf_complete(search);
  graph_undo(&search->graph, mark);
}

static Enumeration enumerate(Search *search) {
  size_t size = (size_t)search->graph.capacity * search->graph.words;
  Arena *arena = search->temporary;
  Enumeration enumeration = {.search = search};
  enumeration.dependencies = search_dependencies(search, arena);
  enumeration.fence_order = ARENA_ARRAY(arena, uint64_t, size);
  enumeration.fence_closed = ARENA_ARRAY(arena, uint64_t, size);
  enumeration.apart = ARENA_ARRAY(arena, uint64_t, size);
  enumeration.allowed.arena = enumeration.found.arena = arena;
  TrailMark start = trail_mark(&search->trail);
  try_fences(&enumeration);
  graph_undo(&search->graph, start);
  return enumeration;
}

void enumerate_coherence(Search *search) {
  ArenaMark mark = arena_mark(search->temporary);
  Enumeration enumeration = enumerate(search);
  for (uint32_t i = 0; i < enumeration.found.count; i++)
    visit_found(&enumeration, i);
  if (!enumeration.found.count)
    search->counts.blocked++;
  arena_reset(search->temporary, mark);
}

bool enumerate_coherence_until(Search *search, bool (*is_sought)(const Search *search)) {
  ArenaMark mark = arena_mark(search->temporary);
  Enumeration enumeration = enumerate(search);
  bool is_found = false;
  for (uint32_t i = 0; !is_found && i < enumeration.found.count; i++) {
    TrailMark start = trail_mark(&search->trail);
    take_found(&enumeration, i);
    is_found = is_sought(search);
    graph_undo(&search->graph, start);
  }
  arena_reset(search->temporary, mark);
  return is_found;
}
