// Order through asynchronous operations (spec A.6). What its thread did before comes before an
// operation, and the operation before those who learn of its completion; but the completion speaks
// for the operation alone. So the order is not transitive through an issued access, except for
// accesses to the bytes that it writes: they come before its write, and so before all that comes
// after that.
#include "model/issue.h"

#include <string.h>

static bool holds_byte(const Graph *graph, uint32_t event, uint64_t address) {
  const Location *location = &graph->locations[graph->events[event].location];
  return location->address <= address && address < location->address + location->size;
}

static bool is_issued(const Graph *graph, uint32_t event, EventKind kind) {
  return (graph->events[event].flags & EVENT_ISSUED) && graph->events[event].kind == kind;
}

// One word of what comes before an issued write of the byte that is `from` or comes before `to`.
static uint64_t before_byte(const Graph *graph, uint32_t from, uint32_t to, uint64_t address,
                            uint32_t w) {
  uint64_t before = 0;
  for (uint32_t i = graph_first_location(graph, address); i != EVENT_NONE;
       i = graph->locations[i].next)
    BITS_EACH(write, graph_row(graph, graph->writes_at, i), graph->words)
  if (is_issued(graph, (uint32_t)write, EVENT_WRITE) &&
      holds_byte(graph, (uint32_t)write, address) &&
      (write == from || graph_has(graph, graph->order_before, to, (uint32_t)write)))
    before |= graph_row(graph, graph->order_before, (uint32_t)write)[w];
  return before;
}

// Adds the accesses at a location all of whose bytes were written by then.
static void add_overwritten(const Graph *graph, uint32_t from, uint32_t to, uint32_t location,
                            uint64_t *row) {
  const Location *place = &graph->locations[location];
  const uint64_t *before = graph_row(graph, graph->order_before, from);
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, location);
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t left = before[w] & (writes[w] | reads[w]);
    for (uint32_t i = 0; left && i < place->size; i++)
      if (!holds_byte(graph, from, place->address + i))
        left &= before_byte(graph, from, to, place->address + i, w);
    row[w] |= left;
  }
}

void issue_find_sources(const Graph *graph, uint32_t from, uint32_t to, uint64_t *row) {
  const Event *event = &graph->events[from];
  memset(row, 0, graph->words * sizeof *row);
  bits_add(row, from);
  if (event->kind != EVENT_WRITE)
    return;
  for (uint32_t i = graph_first_overlapping(graph, event->location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, event->location, i))
    add_overwritten(graph, from, to, i, row);
}
