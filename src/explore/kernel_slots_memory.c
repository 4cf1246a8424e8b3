// Tickets and what is made of them in memory, and whether the slots of an execution are each one
// ticket's.
#include "explore/kernel.h"
#include "explore/kernel_slots.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

// --- where the slots are

// The bytes that an access makes with all tickets of its generation.
typedef struct SlotRange {
  uint64_t first, end;
} SlotRange;

static SlotRange range_of(const Search *search, const SlotAccess *access) {
  const Location *own = &search->graph.locations[search->graph.events[access->event].location];
  uint64_t first, end;
  slots_find_generation(search, access->counter, access->rank, &first, &end);
  uint64_t a = own->address + access->step * (first - access->rank);
  uint64_t b = own->address + access->step * (end - 1 - access->rank);
  return (SlotRange){a < b ? a : b, (a < b ? b : a) + own->size};
}

static bool ranges_meet(SlotRange a, SlotRange b) {
  return a.first < b.end && b.first < a.end;
}

static SlotRange range_of_location(const Location *location) {
  return (SlotRange){location->address, location->address + location->size};
}

static bool is_write(const Search *search, const SlotAccess *access) {
  return search->graph.events[access->event].kind == EVENT_WRITE;
}

// An access that writes to the bytes with some ticket; NULL: there is none.
static const SlotAccess *find_slot_of(const Search *search, SlotRange bytes) {
  const Slots *slots = search->slots;
  for (uint64_t i = 0; i < slots->access_count; i++)
    if (is_write(search, &slots->accesses[i]) &&
        ranges_meet(range_of(search, &slots->accesses[i]), bytes))
      return &slots->accesses[i];
  return NULL;
}

// --- accesses while threads run

static TicketTaint opaque(Search *search, uint32_t counter) {
  return slots_add_value(search, (TicketValue){.counter = counter, .is_opaque = true});
}

static uint32_t counter_of(const Search *search, TicketTaint taint) {
  return search->slots->values[taint - 1].counter;
}

// Of the writes to bytes of a location one that stores what depends on a ticket: its taint.
static TicketTaint find_stored(const Search *search, uint32_t location) {
  const Graph *graph = &search->graph;
  for (uint32_t i = graph_first_overlapping(graph, location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, location, i)) {
    BITS_EACH(write, graph_row(graph, graph->writes_at, i), graph->words)
    if (search->slots->event_taints[write])
      return search->slots->event_taints[write];
  }
  return 0;
}

// Does anybody access the location otherwise than by plain loads, which are settled at once, and
// plain stores?
static bool is_shared_otherwise(const Search *search, uint32_t location) {
  const Graph *graph = &search->graph;
  for (uint32_t i = graph_first_overlapping(graph, location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, location, i)) {
    BITS_EACH(read, graph_row(graph, graph->reads_at, i), graph->words)
    if (!(graph->events[read].flags & EVENT_EAGER))
      return true;
    BITS_EACH(write, graph_row(graph, graph->writes_at, i), graph->words)
    if (event_is_strong(&graph->events[write]))
      return true;
  }
  return false;
}

static void add_access(Search *search, uint32_t thread, const Instruction *instruction,
                       uint32_t event) {
  Slots *slots = search->slots;
  TicketValue address = slots->values[slots_operand(search, thread, &instruction->address) - 1];
  uint32_t i = (uint32_t)slots->access_count;
  if (i == slots->access_capacity)
    slots->accesses = array_grow(search->arena, slots->accesses, i, &slots->access_capacity,
                                 sizeof *slots->accesses);
  slots->accesses[i] = (SlotAccess){event, address.counter, address.rank, address.step};
  set(search, &slots->access_count, i + 1);
  graph_add_bit(&search->graph, slots->are_accesses, event);
  if (is_shared_otherwise(search, search->graph.events[event].location))
    slots_deny(search, address.counter);
}

// What a load finds that is no access to a slot by a ticket.
static TicketTaint find_loaded(Search *search, uint32_t thread, const Event *read) {
  const Location *location = &search->graph.locations[read->location];
  TicketTaint stored = find_stored(search, read->location), settled = 0;
  if (stored && read->flags & EVENT_EAGER && !kernel_is_mixed(search, read->location)) {
    uint32_t source = kernel_settled_source(search, thread, read->location);
    settled = source < EVENT_INIT ? search->slots->event_taints[source] : 0;
  }
  if (settled || (kernel_is_local(location) && !kernel_is_mixed(search, read->location)))
    return settled;
  if (stored)
    return opaque(search, counter_of(search, stored));
  const SlotAccess *slot = find_slot_of(search, range_of_location(location));
  return slot ? opaque(search, slot->counter) : 0;
}

void slots_loaded(Search *search, uint32_t thread, const Instruction *instruction, uint32_t read) {
  TicketTaint address = slots_operand(search, thread, &instruction->address), found;
  const Event *event = &search->graph.events[read];
  if (address) {
    add_access(search, thread, instruction, read);
    found = opaque(search, counter_of(search, address));
  } else {
    found = find_loaded(search, thread, event);
  }
  if (found && !(event->flags & EVENT_EAGER))
    slots_deny(search, counter_of(search, found));
  search->slots->event_taints[read] = found;
  bool is_narrow = instruction->size < 8 && (instruction->flags & INSTRUCTION_SIGNED);
  if (found && is_narrow && !search->slots->values[found - 1].is_opaque)
    found = opaque(search, counter_of(search, found));
  slots_set(search, thread, instruction->dst, found);
  if (instruction->size > 8)
    slots_set(search, thread, instruction->more[0], found);
}

static TicketTaint stored_taint(const Search *search, uint32_t thread,
                                const Instruction *instruction) {
  TicketTaint low = slots_operand(search, thread, &instruction->src[0]);
  return low || instruction->size <= 8 ? low : slots_operand(search, thread, &instruction->src[1]);
}

void slots_stored(Search *search, uint32_t thread, const Instruction *instruction, uint32_t write) {
  const Event *event = &search->graph.events[write];
  const Location *location = &search->graph.locations[event->location];
  TicketTaint address = slots_operand(search, thread, &instruction->address);
  TicketTaint stored = stored_taint(search, thread, instruction);
  if (address) {
    add_access(search, thread, instruction, write);
    stored = opaque(search, counter_of(search, address));
  } else if (stored && (!kernel_is_local(location) || instruction->size < 4)) {
    if (instruction->size < 4)
      stored = opaque(search, counter_of(search, stored));
    if (is_shared_otherwise(search, event->location))
      slots_deny(search, counter_of(search, stored));
  }
  search->slots->event_taints[write] = stored;
  if (!stored && event_is_strong(event))
    slots_touch(search, event->location);
}

void slots_touch(Search *search, uint32_t location) {
  TicketTaint stored = find_stored(search, location);
  const SlotAccess *slot =
      stored ? NULL : find_slot_of(search, range_of_location(&search->graph.locations[location]));
  if (stored)
    slots_deny(search, counter_of(search, stored));
  else if (slot)
    slots_deny(search, slot->counter);
}

void slots_note_fault(Search *search, uint32_t thread, const Operand *base) {
  TicketTaint taint = slots_operand(search, thread, base);
  if (taint)
    slots_deny(search, counter_of(search, taint));
}

// --- the complete execution

// Accesses that go through the same bytes with the tickets of a generation.
typedef struct SlotArray {
  SlotRange range;
  uint32_t counter, size;
  uint64_t generation; // its first ticket
  uint64_t count;      // tickets
  uint64_t step;
  uint64_t base; // of the generation's first ticket
  bool is_read, is_written;
} SlotArray;

typedef struct SlotArrays {
  SlotArray *items;
  uint32_t count;
  uint32_t *array_of; // of each access
} SlotArrays;

static SlotArray array_of_access(const Search *search, const SlotAccess *access) {
  const Location *own = &search->graph.locations[search->graph.events[access->event].location];
  uint64_t first, end;
  slots_find_generation(search, access->counter, access->rank, &first, &end);
  return (SlotArray){.range = range_of(search, access),
                     .counter = access->counter,
                     .size = own->size,
                     .generation = first,
                     .count = end - first,
                     .step = access->step,
                     .base = own->address + access->step * (first - access->rank)};
}

static bool is_same_array(const SlotArray *a, const SlotArray *b) {
  return a->counter == b->counter && a->generation == b->generation && a->base == b->base &&
         a->step == b->step && a->size == b->size;
}

static SlotArrays gather_arrays(const Search *search) {
  const Slots *slots = search->slots;
  SlotArrays arrays = {.items = ARENA_ARRAY(search->temporary, SlotArray, slots->access_count + 1),
                       .array_of =
                           ARENA_ARRAY(search->temporary, uint32_t, slots->access_count + 1)};
  for (uint64_t i = 0; i < slots->access_count; i++) {
    SlotArray found = array_of_access(search, &slots->accesses[i]);
    uint32_t place = 0;
    while (place < arrays.count && !is_same_array(&arrays.items[place], &found))
      place++;
    if (place == arrays.count)
      arrays.items[arrays.count++] = found;
    arrays.array_of[i] = place;
    bool *flag = is_write(search, &slots->accesses[i]) ? &arrays.items[place].is_written
                                                       : &arrays.items[place].is_read;
    *flag = true;
  }
  return arrays;
}

// With every ticket there is memory at the address. Of what is read it has to be defined.
static bool is_in_memory(const Search *search, const SlotArray *array) {
  uint64_t bytes = array->range.end - array->range.first;
  bool is_of_thread =
      array->range.first >= MEMORY_LOCAL_PHYSICAL && array->range.first < MEMORY_SHARED_PHYSICAL;
  const Region *region =
      is_of_thread || bytes > UINT32_MAX
          ? NULL
          : memory_find(search->program->memory, array->range.first, (uint32_t)bytes);
  return region && array->step % array->size == 0 &&
         !(array->is_read && (region->is_undefined || region->is_defined));
}

// Does one of the arrays with some ticket have bytes that the other has with another one?
static bool tickets_collide(const SlotArray *a, const SlotArray *b) {
  if (a->step != b->step)
    return ranges_meet(a->range, b->range);
  for (uint64_t i = 1; i < a->count; i++)
    for (uint32_t sign = 0; sign < 2; sign++) {
      uint64_t shift = sign ? a->step * i : -(a->step * i);
      int64_t distance = (int64_t)(a->base + shift - b->base);
      if (distance < (int64_t)b->size && -distance < (int64_t)a->size)
        return true;
    }
  return false;
}

// -1: all accesses of the array come before the event, 1: after it, 0: neither.
static int compare_with(const Search *search, const SlotArrays *arrays, uint32_t array,
                        uint32_t event) {
  const Slots *slots = search->slots;
  bool are_before = true, are_after = true;
  for (uint64_t i = 0; i < slots->access_count; i++) {
    if (arrays->array_of[i] != array)
      continue;
    uint32_t access = slots->accesses[i].event;
    are_before = are_before && graph_has(&search->graph, search->graph.order_after, access, event);
    are_after = are_after && graph_has(&search->graph, search->graph.order_after, event, access);
  }
  return are_before ? -1 : are_after;
}

// All of one array come before all of the other.
static bool are_apart(const Search *search, const SlotArrays *arrays, uint32_t a, uint32_t b) {
  const Slots *slots = search->slots;
  int order = 0;
  for (uint64_t i = 0; i < slots->access_count; i++) {
    if (arrays->array_of[i] != b)
      continue;
    int found = compare_with(search, arrays, a, slots->accesses[i].event);
    if (!found || (order && found != order))
      return false;
    order = found;
  }
  return true;
}

static bool arrays_are_apart(const Search *search, const SlotArrays *arrays, uint32_t i,
                             uint32_t k) {
  const SlotArray *a = &arrays->items[i], *b = &arrays->items[k];
  if ((!a->is_written && !b->is_written) || (i != k && !ranges_meet(a->range, b->range)))
    return true;
  if (a->counter == b->counter && a->generation == b->generation)
    return !tickets_collide(a, b);
  return are_apart(search, arrays, i, k);
}

// Has every ticket's slot been written by whoever had the ticket?
static bool is_full(const Search *search, const SlotArrays *arrays, uint32_t array) {
  const Slots *slots = search->slots;
  const SlotArray *own = &arrays->items[array];
  ArenaMark mark = arena_mark(search->temporary);
  uint64_t *written =
      ARENA_ARRAY(search->temporary, uint64_t, bits_words((uint32_t)own->count) + 1);
  uint32_t count = 0;
  for (uint64_t i = 0; i < slots->access_count; i++)
    if (arrays->array_of[i] == array && is_write(search, &slots->accesses[i]))
      bits_add(written, (uint32_t)(slots->accesses[i].rank - own->generation));
  for (uint32_t w = 0; w < bits_words((uint32_t)own->count); w++)
    count += bits_count(written[w]);
  arena_reset(search->temporary, mark);
  return count == own->count;
}

static bool may_be_undefined(const Search *search, SlotRange range) {
  const Region *region = memory_find(search->program->memory, range.first, 1);
  return region->is_undefined || region->is_defined;
}

// Somebody accesses what may be a slot, by an address of his own.
static bool is_ordered_access(const Search *search, const SlotArrays *arrays, uint32_t array,
                              uint32_t event) {
  const SlotArray *slots = &arrays->items[array];
  bool is_read = search->graph.events[event].kind == EVENT_READ;
  if (is_read && !slots->is_written)
    return true;
  int order = compare_with(search, arrays, array, event);
  if (!order || !is_read || order > 0)
    return order != 0;
  return search->slots->event_taints[event] &&
         (!may_be_undefined(search, slots->range) || is_full(search, arrays, array));
}

static bool accesses_are_ordered(const Search *search, const SlotArrays *arrays, uint32_t array) {
  const Graph *graph = &search->graph;
  for (uint32_t e = 0; e < graph->event_count; e++)
    if (event_is_memory(&graph->events[e]) && !bits_has(search->slots->are_accesses, e) &&
        ranges_meet(arrays->items[array].range,
                    range_of_location(&graph->locations[graph->events[e].location])) &&
        !is_ordered_access(search, arrays, array, e))
      return false;
  return true;
}

// A ticket that was stored where others look: what they find is opaque.
static bool is_seen_opaque(const Search *search, uint32_t write) {
  const Graph *graph = &search->graph;
  uint32_t location = graph->events[write].location;
  for (uint32_t i = graph_first_overlapping(graph, location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, location, i)) {
    BITS_EACH(read, graph_row(graph, graph->reads_at, i), graph->words)
    if (!search->slots->event_taints[read] &&
        graph_has(graph, graph->order_after, write, (uint32_t)read))
      return false;
  }
  return true;
}

static bool stored_tickets_hold(const Search *search, uint32_t *counter) {
  const Graph *graph = &search->graph;
  for (uint32_t e = 0; e < graph->event_count; e++) {
    TicketTaint taint = search->slots->event_taints[e];
    if (graph->events[e].kind != EVENT_WRITE || !taint ||
        kernel_is_local(&graph->locations[graph->events[e].location]))
      continue;
    *counter = counter_of(search, taint);
    if (!is_seen_opaque(search, e))
      return false;
  }
  return true;
}

static bool slots_are_apart(const Search *search, uint32_t *counter) {
  SlotArrays arrays = gather_arrays(search);
  for (uint32_t i = 0; i < arrays.count; i++) {
    *counter = arrays.items[i].counter;
    if (!is_in_memory(search, &arrays.items[i]) || !accesses_are_ordered(search, &arrays, i))
      return false;
    for (uint32_t k = 0; k <= i; k++)
      if (!arrays_are_apart(search, &arrays, i, k))
        return false;
  }
  return true;
}

bool slots_hold(Search *search) {
  uint32_t counter = 0;
  ArenaMark mark = arena_mark(search->temporary);
  bool hold = slots_are_apart(search, &counter) && stored_tickets_hold(search, &counter);
  arena_reset(search->temporary, mark);
  if (!hold)
    slots_deny(search, counter);
  return hold;
}

void slots_ask_byte(Search *search, uint64_t address, uint32_t write) {
  const SlotAccess *slot = find_slot_of(search, (SlotRange){address, address + 1});
  TicketTaint stored = write == EVENT_NONE ? 0 : search->slots->event_taints[write];
  if (slot)
    search->slots->asked = search->slots->counters[slot->counter]->place + 1;
  else if (stored)
    search->slots->asked = search->slots->counters[counter_of(search, stored)]->place + 1;
}
