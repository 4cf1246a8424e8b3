// Atomic loads of parts of words that atomics access as a whole.
//
// Atomic objects of one or two bytes (`cuda::atomic<bool>`) are updated by compare-and-swap on the
// aligned word around them and loaded by loads of their own size (spec H9). Such accesses overlap
// in part only, but compilers count on their being atomic toward each other. So the load is one of
// the whole word, of which its thread gets a part. Which words these are is found out while
// exploring: then the search starts again. Races are looked for with the bytes that the load names.
#include "explore/contended.h"
#include "explore/kernel.h"
#include "explore/kernel_slots.h"
#include "explore/symmetry.h"

static uint64_t word_address(const Search *search, uint32_t location) {
  return search->graph.locations[location].address & ~(uint64_t)(KERNEL_WORD_BYTES - 1);
}

static bool is_whole(const Search *search, uint64_t address) {
  for (uint32_t i = 0; i < search->contended->words.count; i++)
    if (search->contended->words.items[i] == address)
      return true;
  return false;
}

static bool make_whole(Search *search, uint64_t address) {
  search_start_again(search, (Restart){.kind = RESTART_WORD, .address = address});
  return false;
}

// Compilers make no volatile accesses of atomics.
static bool is_part(const Search *search, const Event *event) {
  const Location *location = &search->graph.locations[event->location];
  return event_is_strong(event) && !(event->flags & EVENT_VOLATILE) && !search->judge &&
         location->size < KERNEL_WORD_BYTES &&
         location->address % KERNEL_WORD_BYTES + location->size <= KERNEL_WORD_BYTES;
}

static bool has_atomic_write(const Graph *graph, uint32_t location) {
  BITS_EACH(write, graph_row(graph, graph->writes_at, location), graph->words)
  if (graph->mate[write] != EVENT_NONE)
    return true;
  return false;
}

static bool is_updated_whole(const Search *search, uint32_t part) {
  const Graph *graph = &search->graph;
  for (uint32_t i = graph_first_overlapping(graph, part); i != EVENT_NONE;
       i = graph_next_overlapping(graph, part, i))
    if (graph->locations[i].size == KERNEL_WORD_BYTES && has_atomic_write(graph, i))
      return true;
  return false;
}

bool kernel_widen_load(Search *search, Event *load) {
  if (!is_part(search, load))
    return true;
  uint64_t address = word_address(search, load->location);
  if (!is_whole(search, address))
    return !is_updated_whole(search, load->location) || make_whole(search, address);
  uint32_t word = kernel_intern_word(search, address);
  if (word == EVENT_NONE)
    return true;
  if (search->symmetry)
    symmetry_break(search);
  if (slots_are_on(search))
    slots_touch(search, word);
  const Location *part = &search->graph.locations[load->location];
  load->flags |= EVENT_PART | (part->size == 2 ? EVENT_PART_OF_TWO : 0u) |
                 (uint32_t)(part->address % KERNEL_WORD_BYTES) << EVENT_PART_OFFSET;
  load->location = load->virtual_location = word;
  return true;
}

Location kernel_named_bytes(const Graph *graph, const Event *access) {
  Location bytes = graph->locations[access->location];
  if (access->flags & EVENT_PART) {
    bytes.address += access->flags >> EVENT_PART_OFFSET & (KERNEL_WORD_BYTES - 1);
    bytes.size = access->flags & EVENT_PART_OF_TWO ? 2 : 1;
  }
  return bytes;
}

ValueId kernel_part_of_word(Search *search, const Event *load, ValueId word) {
  Location part = kernel_named_bytes(&search->graph, load);
  ValueId above =
      values_add(&search->values,
                 (Value){.kind = VALUE_COMPUTE,
                         .op = IR_DIV,
                         .first = kernel_extend(search, word, KERNEL_WORD_BYTES, false),
                         .second = values_constant(&search->values,
                                                   1ll << 8 * (part.address % KERNEL_WORD_BYTES))});
  return kernel_extend(search, above, part.size, false);
}

bool kernel_note_whole(Search *search, const Event *write) {
  const Graph *graph = &search->graph;
  if (graph->locations[write->location].size != KERNEL_WORD_BYTES)
    return true;
  for (uint32_t i = graph_first_overlapping(graph, write->location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, write->location, i)) {
    BITS_EACH(read, graph_row(graph, graph->reads_at, i), graph->words)
    if (is_part(search, &graph->events[read]) && graph->mate[read] == EVENT_NONE)
      return make_whole(search, word_address(search, i));
  }
  return true;
}
