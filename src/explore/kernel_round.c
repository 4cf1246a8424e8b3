// Rounds of a loop that store, and yet leave memory as it was.
//
// A block may poll by one thread that puts what it has seen into shared memory, for the others to
// look at behind a barrier; code that was compiled without optimisation keeps its variables in
// local memory. A failed attempt then stores, but what the failed attempt before has stored, and
// can be left out like one that does not store at all (enter_header in machine_loop.c):
// - Who sees a store of the round finds the same number in the one before, which is ordered before
//   it. Plain stores bring no order themselves.
// - Races of the store are those of the store that the same instruction has made in an earlier
//   round, which stays: the first round that stores is never left out.
// What is in local memory is nobody else's. There it is enough that a whole round leaves what it
// has found, whatever it stores in between.
#include "explore/kernel.h"
#include "explore/symmetry.h"

// The thread's newest write of a location before a place in its program order.
static uint32_t newest_own_write(const Graph *graph, uint32_t thread, uint32_t location,
                                 uint64_t before) {
  const uint64_t *own = graph_row(graph, graph->thread_events, thread);
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  uint32_t newest = EVENT_NONE;
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = own[w] & writes[w]; left; left &= left - 1) {
      uint32_t write = w * 64 + bits_first(left);
      if (graph->events[write].po_index < before &&
          (newest == EVENT_NONE || graph->events[write].po_index > graph->events[newest].po_index))
        newest = write;
    }
  return newest;
}

// Are all writes of other threads ordered before the thread's?
static bool others_are_before(const Graph *graph, uint32_t write) {
  const Event *event = &graph->events[write];
  const uint64_t *own = graph_row(graph, graph->thread_events, event->thread);
  const uint64_t *writes = graph_row(graph, graph->writes_at, event->location);
  const uint64_t *before = graph_row(graph, graph->order_before, write);
  for (uint32_t w = 0; w < graph->words; w++)
    if (writes[w] & ~own[w] & ~before[w])
      return false;
  return true;
}

static bool has_earlier_round(const Graph *graph, const Event *store, uint64_t round) {
  const uint64_t *own = graph_row(graph, graph->thread_events, store->thread);
  const uint64_t *writes = graph_row(graph, graph->writes_at, store->location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = own[w] & writes[w]; left; left &= left - 1) {
      const Event *other = &graph->events[w * 64 + bits_first(left)];
      if (other->po_index < round && other->instruction == store->instruction)
        return true;
    }
  return false;
}

// Threads that are alike have to find the same answer about two writes.
static void keep_alike(Search *search, uint32_t first, uint32_t second) {
  const Symmetry *symmetry = search->symmetry;
  if (symmetry && (symmetry->event_taints[first] != symmetry->event_taints[second] ||
                   symmetry->event_taints[first] == TAINT_UNKNOWN))
    symmetry_break(search);
}

static bool evaluate_both(const Search *search, uint32_t first, uint32_t second, int64_t *a,
                          int64_t *b) {
  const Graph *graph = &search->graph;
  return value_evaluate(&search->values, graph, graph->events[first].value, a) &&
         value_evaluate(&search->values, graph, graph->events[second].value, b);
}

// Do both writes leave the same?
static bool leave_same(Search *search, uint32_t first, uint32_t second) {
  int64_t a, b;
  if (!evaluate_both(search, first, second, &a, &b))
    return false;
  keep_alike(search, first, second);
  return a == b;
}

// --- local memory that is accessed in several sizes

// The thread's newest write of a byte before a place in its program order.
static uint32_t newest_own_write_of_byte(const Graph *graph, uint32_t thread, uint64_t address,
                                         uint64_t before) {
  Location byte = {.address = address, .size = 1};
  uint32_t newest = EVENT_NONE;
  for (uint32_t i = graph_first_location(graph, address); i != EVENT_NONE;
       i = graph->locations[i].next) {
    if (!locations_overlap(&graph->locations[i], &byte))
      continue;
    uint32_t write = newest_own_write(graph, thread, i, before);
    if (write != EVENT_NONE &&
        (newest == EVENT_NONE || graph->events[write].po_index > graph->events[newest].po_index))
      newest = write;
  }
  return newest;
}

static uint8_t byte_of(const Search *search, uint32_t write, int64_t number, uint64_t address) {
  const Graph *graph = &search->graph;
  const Location *written = &graph->locations[graph->events[write].location];
  return value_byte(&search->values, written, number, (uint32_t)(address - written->address));
}

// Has each byte that the store is the last one to write the value that the round has found there?
static bool leaves_bytes(Search *search, uint32_t store, uint64_t round) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[store];
  const Location place = graph->locations[event->location];
  for (uint64_t at = place.address; at < place.address + place.size; at++) {
    uint32_t last = newest_own_write_of_byte(graph, event->thread, at, UINT64_MAX);
    uint32_t found = newest_own_write_of_byte(graph, event->thread, at, round);
    int64_t a, b;
    if (last != store)
      continue;
    if (found == EVENT_NONE || !evaluate_both(search, found, store, &a, &b))
      return false;
    keep_alike(search, found, store);
    if (byte_of(search, found, a, at) != byte_of(search, store, b, at))
      return false;
  }
  return true;
}

bool kernel_store_is_idle(Search *search, uint32_t store, uint64_t round) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[store];
  uint32_t location = event->location, thread = event->thread;
  bool is_mixed = kernel_is_mixed(search, location);
  if (event_is_strong(event) || event->flags & EVENT_ASYNC)
    return false;
  if (is_mixed)
    return kernel_is_local(&graph->locations[location]) && leaves_bytes(search, store, round);
  if (kernel_is_local(&graph->locations[location])) {
    uint32_t last = newest_own_write(graph, thread, location, UINT64_MAX);
    uint32_t found = newest_own_write(graph, thread, location, round);
    return last != store || (found != EVENT_NONE && leave_same(search, found, last));
  }
  uint32_t found = newest_own_write(graph, thread, location, event->po_index);
  return found != EVENT_NONE && others_are_before(graph, found) &&
         has_earlier_round(graph, event, round) && leave_same(search, found, store);
}
