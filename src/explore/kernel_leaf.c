// What a kernel's execution shows when everything in it has been decided.
#include "explore/contended.h"
#include "explore/kernel_cause.h"
#include "explore/kernel_slots.h"
#include "explore/symmetry.h"
#include "ir/grid.h"

static const ContendedLocation *find_contended(const Search *search, uint32_t location) {
  uint64_t address = search->graph.locations[location].address;
  for (uint32_t i = 0; i < search->contended->locations.count; i++)
    if (search->contended->locations.items[i].address == address)
      return &search->contended->locations.items[i];
  return NULL;
}

bool search_is_contended(const Search *search, uint32_t location) {
  const ContendedLocation *found = find_contended(search, location);
  return found && !found->is_sampled;
}

bool search_is_sampled(const Search *search, uint32_t location) {
  const ContendedLocation *found = find_contended(search, location);
  return found && found->is_sampled;
}

// An access that looks at a location on which atomics are under way: is there one of the other kind
// that is not ordered with it?
static bool is_looked_at(const Search *search, uint32_t event, bool wants_update) {
  const Graph *graph = &search->graph;
  uint32_t location = graph->events[event].location;
  const uint64_t *before = graph_row(graph, graph->order_before, event);
  const uint64_t *own = graph_row(graph, graph->thread_events, graph->events[event].thread);
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t here = graph_row(graph, graph->writes_at, location)[w] |
                    graph_row(graph, graph->reads_at, location)[w];
    for (uint64_t left = here & ~before[w] & ~own[w]; left; left &= left - 1) {
      const Event *other = &graph->events[w * 64 + bits_first(left)];
      bool is_update = other->flags & EVENT_UPDATE;
      if (event_is_strong(other) && !(other->flags & EVENT_EAGER) && is_update == wants_update)
        return true;
    }
  }
  return false;
}

// A store that is no atomic, where atomics that change nothing were taken for loads.
static bool breaks_chain(const Search *search, uint32_t event) {
  const Graph *graph = &search->graph;
  const Event *added = &graph->events[event];
  if (added->kind != EVENT_WRITE || (added->flags & (EVENT_ATOMIC | EVENT_UPDATE)))
    return false;
  BITS_EACH(read, graph_row(graph, graph->reads_at, added->location), graph->words)
  if (graph->events[read].flags & EVENT_POLL)
    return true;
  return false;
}

// Requires: the event is the newest one, so nothing is ordered after it.
bool kernel_note_access(Search *search, uint32_t event) {
  const Event *added = &search->graph.events[event];
  if (breaks_chain(search, event)) {
    search_start_again(search, (Restart){.kind = RESTART_POLLS});
    return false;
  }
  if (!event_is_strong(added) || (added->flags & EVENT_EAGER))
    return true;
  bool is_update = added->flags & EVENT_UPDATE;
  if (!is_looked_at(search, event, !is_update))
    return true;
  const ContendedLocation *found = find_contended(search, added->location);
  if (found) {
    search->notes->was_sampled |= found->is_sampled;
    return true;
  }
  search_start_again(search,
                     (Restart){.kind = RESTART_LOCATION,
                               .address = search->graph.locations[added->location].address});
  return false;
}

// Is the update, among the atomics, right behind the write whose value it updates?
static bool is_in_place(const Search *search, uint32_t update) {
  const Graph *graph = &search->graph;
  uint32_t base = search->update_base[update];
  if (base == update)
    return true;
  BITS_EACH(bit, graph_row(graph, graph->writes_at, graph->events[update].location), graph->words) {
    uint32_t write = (uint32_t)bit;
    bool is_before = base != EVENT_NONE &&
                     (write == base || graph_has(graph, graph->coherence_after, write, base));
    if (write != update && (graph->events[write].flags & (EVENT_ATOMIC | EVENT_UPDATE)) &&
        !is_before && !graph_has(graph, graph->coherence_after, update, write))
      return false;
  }
  return true;
}

bool kernel_updates_are_in_place(const Search *search) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count && search->notes->was_sampled; i++) {
    bool is_update = graph->events[i].flags & EVENT_UPDATE;
    if (is_update && search_is_sampled(search, graph->events[i].location) &&
        !is_in_place(search, i))
      return false;
  }
  return true;
}

void kernel_note_atomic(Search *search, uint32_t location) {
  const Graph *graph = &search->graph;
  bool *is_crowded =
      &search->notes
           ->are_crowded[find_contended(search, location) - search->contended->locations.items];
  uint32_t count = 0;
  if (*is_crowded)
    return;
  BITS_EACH(write, graph_row(graph, graph->writes_at, location), graph->words)
  count += (graph->events[write].flags & EVENT_ATOMIC) != 0;
  *is_crowded = count >= CONTENDED_MOST_ATOMICS;
}

static bool limits_orders(const Search *search) {
  const Contended *contended = search->contended;
  for (uint32_t i = 0; i < contended->locations.count; i++)
    if (search->notes->are_crowded[i] && !contended->locations.items[i].is_sampled)
      return true;
  return false;
}

bool kernel_is_too_long(const Search *search, uint64_t steps, RestartKind *kind) {
  const Contended *contended = search->contended;
  uint32_t capacity = search->graph.capacity;
  if (contended->symmetry == SYMMETRY_LATER || search->symmetry) {
    *kind = search->symmetry ? RESTART_LONG : RESTART_SYMMETRY;
    return steps >= contended_symmetry_steps(contended, capacity);
  }
  *kind = RESTART_ORDERS;
  return steps >= (uint64_t)CONTENDED_MOST_STEPS * CONTENDED_SMALL_CAPACITY / capacity &&
         limits_orders(search);
}

static RecordPlace place_in_grid(const Search *search, RecordPlace place) {
  if (place.thread != UINT32_MAX)
    place.thread = search->program->threads[place.thread].grid;
  return place;
}

static void find_managed_in_use(Search *search) {
  const Program *program = search->program;
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; program->machine && i < graph->event_count; i++) {
    const Event *event = &graph->events[i];
    if (!event_is_memory(event) || !program->threads[event->thread].place.is_host)
      continue;
    const Location *location = &graph->locations[event->location];
    const Region *region = memory_find(program->memory, location->address, location->size);
    uint32_t grid = program->threads[event->thread].grid;
    if (region && region->block == UINT32_MAX && grid_is_kept_away(program, grid, region->home))
      search_record(search, RECORD_FAULT, (RecordPlace){grid, event->instruction},
                    (RecordPlace){UINT32_MAX, UINT32_MAX}, RULE_MANAGED_IN_USE);
  }
}

static bool has_writer(const Graph *graph, uint32_t read) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[read].location);
  const uint64_t *after = graph_row(graph, graph->order_after, read);
  for (uint32_t w = 0; w < graph->words; w++)
    if (writes[w] & ~after[w])
      return true;
  return false;
}

// A read that only lost a race is reported as the race. In a loop the same instruction reads other
// places, too.
static bool has_lost_race(const Search *search, const Fault *fault) {
  const Graph *graph = &search->graph;
  bool found = false;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, fault->place.thread), graph->words) {
    const Event *event = &graph->events[bit];
    if (event->instruction != fault->place.instruction || event->kind != EVENT_READ ||
        !graph->locations[event->location].is_undefined)
      continue;
    if (kernel_is_local(&graph->locations[event->location]) || !has_writer(graph, (uint32_t)bit))
      return false;
    found = true;
  }
  return found;
}

// Violated assertions are told apart by whether only a weak behaviour leads there. Where both kinds
// of execution do, nothing is weak about it.
static void record_violation(Search *search, RecordKind kind, RecordPlace place, uint32_t detail) {
  RecordPlace no_place = {UINT32_MAX, UINT32_MAX};
  if (search_has_record(search, kind, place, no_place, detail | RECORD_SEQUENTIAL))
    return;
  if (kernel_is_sequential(search))
    detail |= RECORD_SEQUENTIAL;
  search_record(search, kind, place, no_place, detail);
}

void kernel_record_faults(Search *search) {
  const Kernel *kernel = search->kernel;
  kernel_find_use_after_exit(search);
  find_managed_in_use(search);
  for (uint32_t i = 0; i < kernel->fault_count; i++) {
    if (kernel->faults[i].rule == RULE_UNINITIALISED && has_lost_race(search, &kernel->faults[i]))
      continue;
    RecordPlace place = place_in_grid(search, kernel->faults[i].place);
    if (kernel->faults[i].rule == RULE_TRAP || kernel->faults[i].rule == RULE_ASSERT)
      record_violation(search, RECORD_FAULT, place, kernel->faults[i].rule);
    else
      search_record(search, RECORD_FAULT, place, place_in_grid(search, kernel->faults[i].other),
                    kernel->faults[i].rule);
  }
}

// Racing last writes of a location: each of them may be the final value (spec B.1).
enum { MOST_FINAL_CHOICES = 4 };

const char *kernel_find_failure(Search *search, Arena *arena, Span *span) {
  const ExploreOptions *options = search->options;
  const char *failure = NULL;
  uint32_t choices = options->explore_races ? MOST_FINAL_CHOICES : 1;
  for (uint32_t i = 0; i < choices && !failure; i++) {
    search->final_choice = i;
    failure = options->check_final(options->final_context, kernel_final_byte, search, arena, span);
  }
  return failure;
}

void kernel_check_final(Search *search) {
  RecordPlace no_place = {UINT32_MAX, UINT32_MAX};
  Span span;
  // What a trap or a fault left behind is no result.
  if (!search->options->check_final || search->kernel->fault_count ||
      search_has_record(search, RECORD_FINAL, no_place, no_place, RECORD_SEQUENTIAL))
    return;
  if (search->symmetry)
    search->symmetry->bytes_differ = false;
  if (search->slots)
    search->slots->asked = 0;
  ArenaMark mark = arena_mark(search->temporary);
  const char *failure = kernel_find_failure(search, search->temporary, &span);
  arena_reset(search->temporary, mark);
  if (failure)
    record_violation(search, RECORD_FINAL, no_place, 0);
  else if (search->symmetry && search->symmetry->bytes_differ)
    symmetry_break(search);
  else if (slots_are_on(search) && search->slots->asked)
    slots_deny_asked(search);
}
