// Accesses to bytes that were written by accesses of another size or place.
//
// Sources, coherence and atomicity are of locations, which are an address with a size. A read sees
// the bytes of its source, but where writes of other locations that are ordered before it are newer
// than that: behind a plain store of the upper half of a counter, an atomic on the whole counter
// reads the initial write of its own location and the half that was stored. Writes that are not
// ordered with the read race with it.
#include "explore/kernel.h"
#include "explore/symmetry.h"

static bool is_newer(const Graph *graph, uint32_t write, uint32_t than) {
  return than == EVENT_NONE || graph_has(graph, graph->order_after, than, write);
}

// The newest write that covers a byte, among all locations that overlap it.
static uint32_t newest_write_of_byte(const Search *search, uint64_t last, uint64_t address) {
  const Graph *graph = &search->graph;
  uint32_t newest = EVENT_NONE;
  Location byte = {.address = address, .size = 1};
  for (uint32_t i = graph_first_location(graph, address); i != EVENT_NONE;
       i = graph->locations[i].next) {
    if (!locations_overlap(&graph->locations[i], &byte))
      continue;
    uint32_t write = kernel_newest_write(search, last, i);
    if (write != EVENT_NONE && is_newer(graph, write, newest))
      newest = write;
  }
  return newest;
}

bool kernel_is_mixed(const Search *search, uint32_t location) {
  const Graph *graph = &search->graph;
  for (uint32_t i = graph_first_overlapping(graph, location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, location, i)) {
    if (i == location)
      continue;
    const uint64_t *writes = graph_row(graph, graph->writes_at, i);
    for (uint32_t w = 0; w < graph->words; w++)
      if (writes[w])
        return true;
  }
  return false;
}

bool kernel_has_mixed_rival(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[read];
  for (uint32_t i = graph_first_overlapping(graph, event->location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, event->location, i)) {
    if (i == event->location)
      continue;
    BITS_EACH(write, graph_row(graph, graph->writes_at, i), graph->words)
    if (graph->events[write].thread != event->thread &&
        !graph_has(graph, graph->order_after, (uint32_t)write, read))
      return true;
  }
  return false;
}

// What of a byte is undefined that the newest write before the thread's next event has left.
static UndefinedValue undefined_byte(const Search *search, uint32_t thread, uint32_t write,
                                     uint64_t address) {
  const Graph *graph = &search->graph;
  if (write == EVENT_NONE)
    return (UndefinedValue){.bits = UINT8_MAX, .origin = (uint32_t)search->threads[thread].pc};
  UndefinedValue undefined = kernel_undefined(search, graph->events[write].value);
  const Location *place = &graph->locations[graph->events[write].location];
  undefined.bits =
      undefined.bits ? undefined.bits >> 8 * (address - place->address) & UINT8_MAX : 0;
  return undefined;
}

UndefinedValue kernel_undefined_byte(const Search *search, uint32_t thread, uint64_t address) {
  uint32_t write = newest_write_of_byte(search, search->graph.last_event[thread], address);
  return undefined_byte(search, thread, write, address);
}

static void add_undefined_byte(UndefinedValue *undefined, UndefinedValue byte, uint32_t i) {
  if (byte.bits && !undefined->bits)
    undefined->origin = byte.origin;
  undefined->bits |= byte.bits << 8 * (i % sizeof undefined->bits);
}

bool kernel_settle_bytes(Search *search, uint32_t thread, uint32_t location, ValueId *value) {
  Graph *graph = &search->graph;
  uint64_t last = graph->last_event[thread];
  const Location accessed = graph->locations[location];
  uint8_t bytes[16];
  UndefinedValue undefined = {0};
  for (uint32_t i = 0; i < accessed.size; i++) {
    uint64_t address = accessed.address + i;
    uint32_t write = newest_write_of_byte(search, last, address);
    int64_t number = accessed.initial;
    uint32_t place = location, shift = i;
    if (write != EVENT_NONE || accessed.is_undefined)
      add_undefined_byte(&undefined, undefined_byte(search, thread, write, address), i);
    if (write != EVENT_NONE) {
      if (!value_evaluate(&search->values, graph, graph->events[write].value, &number)) {
        trail_set(&search->trail, &search->threads[thread].waits_for,
                  graph->events[write].value + 1ull);
        return false;
      }
      place = graph->events[write].location;
      shift = (uint32_t)(address - graph->locations[place].address);
    }
    bytes[i] = value_byte(&search->values, &graph->locations[place], number, shift);
  }
  ValueId read =
      values_constant(&search->values, value_of_bytes(&search->values, &accessed, bytes));
  *value = kernel_read_undefined(search, thread, location, read, undefined);
  return true;
}

static bool is_left(const Search *search, uint32_t location, uint32_t write) {
  return write != EVENT_NONE && search->graph.events[write].location != location;
}

bool kernel_is_left_behind(const Search *search, uint32_t thread, uint32_t location,
                           uint32_t write) {
  const Graph *graph = &search->graph;
  const Location *accessed = &graph->locations[location];
  if (!kernel_is_mixed(search, location))
    return false;
  for (uint32_t i = 0; i < accessed->size; i++) {
    uint32_t newest =
        newest_write_of_byte(search, graph->last_event[thread], accessed->address + i);
    if (is_left(search, location, newest) && is_newer(graph, newest, write))
      return true;
  }
  return false;
}

// What is in the past of the read does not change any more once all acquires before it are known.
bool kernel_note_left(Search *search, uint32_t thread, Event *read) {
  const Graph *graph = &search->graph;
  const Location accessed = graph->locations[read->location];
  uint32_t newest[16];
  ValueId left = VALUE_NONE;
  if (!kernel_is_mixed(search, read->location))
    return true;
  if (!kernel_is_settled(search, thread) || !kernel_knows_sources(search, thread, read->location))
    return false;
  for (uint32_t i = 0; i < accessed.size; i++)
    newest[i] = newest_write_of_byte(search, graph->last_event[thread], accessed.address + i);
  for (uint32_t i = 0; i < accessed.size; i++) {
    uint32_t write = newest[i], mask = 0;
    if (!is_left(search, read->location, write))
      continue;
    for (uint32_t k = i; k < accessed.size; k++) {
      if (newest[k] != write)
        continue;
      mask |= 1u << k;
      newest[k] = EVENT_NONE;
    }
    left = value_add_left(&search->values, graph, write, mask, left);
  }
  if (left == VALUE_NONE)
    return true;
  read->flags |= EVENT_MIXED;
  read->value = left;
  if (search->symmetry)
    symmetry_break(search);
  return true;
}
