// What a kernel's execution shows when everything in it has been decided.
#include "explore/contended.h"
#include "explore/kernel.h"

bool search_is_contended(const Search *search, uint32_t location) {
  uint64_t address = search->graph.locations[location].address;
  for (uint32_t i = 0; i < search->contended->addresses.count; i++)
    if (search->contended->addresses.items[i] == address)
      return true;
  return false;
}

// Does a strong access that is not ordered with the update look at its location? Then the order of
// the updates matters.
static bool is_looked_at(const Search *search, uint32_t update) {
  const Graph *graph = &search->graph;
  uint32_t location = graph->events[update].location;
  const uint64_t *after = graph_row(graph, graph->order_after, update);
  const uint64_t *before = graph_row(graph, graph->order_before, update);
  const uint64_t *own = graph_row(graph, graph->thread_events, graph->events[update].thread);
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t here = graph_row(graph, graph->writes_at, location)[w] |
                    graph_row(graph, graph->reads_at, location)[w];
    for (uint64_t left = here & ~after[w] & ~before[w] & ~own[w]; left; left &= left - 1) {
      const Event *other = &graph->events[w * 64 + bits_first(left)];
      if (event_is_strong(other) && !(other->flags & (EVENT_UPDATE | EVENT_EAGER)))
        return true;
    }
  }
  return false;
}

bool kernel_find_contended(Search *search) {
  bool is_new = false;
  for (uint32_t i = 0; i < search->graph.event_count; i++) {
    const Event *event = &search->graph.events[i];
    if (!(event->flags & EVENT_UPDATE) || event->kind != EVENT_WRITE ||
        search_is_contended(search, event->location) || !is_looked_at(search, i))
      continue;
    array_push(search->contended->arena, &search->contended->addresses,
               search->graph.locations[event->location].address);
    is_new = true;
  }
  return is_new;
}

static RecordPlace place_in_grid(const Search *search, RecordPlace place) {
  if (place.thread != UINT32_MAX)
    place.thread = search->program->threads[place.thread].grid;
  return place;
}

void kernel_record_faults(Search *search) {
  const Kernel *kernel = search->kernel;
  for (uint32_t i = 0; i < kernel->fault_count; i++)
    search_record(search, RECORD_FAULT, place_in_grid(search, kernel->faults[i].place),
                  place_in_grid(search, kernel->faults[i].other), kernel->faults[i].rule);
}

void kernel_check_final(Search *search) {
  const ExploreOptions *options = search->options;
  RecordPlace no_place = {UINT32_MAX, UINT32_MAX};
  Span span;
  // What a trap or a fault left behind is no result.
  if (!options->check_final || search->kernel->fault_count)
    return;
  ArenaMark mark = arena_mark(search->temporary);
  const char *failure = options->check_final(options->final_context, kernel_final_byte, search,
                                             search->temporary, &span);
  arena_reset(search->temporary, mark);
  if (failure)
    search_record(search, RECORD_FINAL, no_place, no_place, 0);
}
