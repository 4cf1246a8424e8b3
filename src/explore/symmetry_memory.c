// Whose memory is accessed by addresses that depend on a member's number, and what is in it.
#include "explore/kernel.h"
#include "explore/symmetry.h"

// --- bytes

static ByteClaim *find_claim(const Symmetry *symmetry, uint64_t address) {
  uint32_t mask = symmetry->claim_slot_count - 1;
  uint32_t i = (uint32_t)search_mix(address) & mask;
  while (symmetry->claims[i].address && symmetry->claims[i].address != address + 1)
    i = (i + 1) & mask;
  return &symmetry->claims[i];
}

enum { FIRST_CLAIMS = 1024 };

static void grow_claims(Search *search) {
  Symmetry *symmetry = search->symmetry;
  const ByteClaim *old = symmetry->claims;
  uint32_t old_count = symmetry->claim_slot_count;
  if (2 * symmetry->claim_count < old_count)
    return;
  symmetry->claim_slot_count = old_count ? 2 * old_count : FIRST_CLAIMS;
  symmetry->claims = ARENA_ARRAY(search->arena, ByteClaim, symmetry->claim_slot_count);
  for (uint32_t i = 0; i < old_count; i++)
    if (old[i].address)
      *find_claim(symmetry, old[i].address - 1) = old[i];
}

static void claim_byte(Search *search, uint64_t address, Taint shape, uint64_t base) {
  Symmetry *symmetry = search->symmetry;
  grow_claims(search);
  ByteClaim *claim = find_claim(symmetry, address);
  if (claim->address) {
    if (claim->shape != shape || claim->base != base)
      symmetry_break(search);
    return;
  }
  *claim = (ByteClaim){.address = address + 1, .shape = shape, .base = base};
  symmetry->claim_count++;
}

// The record of the first member's byte, for a byte that somebody has claimed.
static ByteClaim *first_claim(const Symmetry *symmetry, uint64_t address) {
  const ByteClaim *claim = find_claim(symmetry, address);
  return find_claim(symmetry, claim->base);
}

// --- initial contents

// Undefined bytes are no number.
static uint32_t initial_byte(const Search *search, uint64_t address) {
  const Region *region = memory_find(search->program->memory, address, 1);
  uint64_t offset = address - region->address;
  if (region->is_undefined || (region->is_defined && !region->is_defined[offset]))
    return UINT32_MAX;
  uint8_t byte;
  memory_read_initial(region, offset, 1, &byte);
  return byte;
}

static void compare_contents(const Search *search, uint32_t count, const uint64_t *addresses,
                             uint32_t offset) {
  uint32_t first = initial_byte(search, addresses[0] + offset);
  for (uint32_t m = 1; m < count; m++)
    if (initial_byte(search, addresses[m] + offset) != first)
      find_claim(search->symmetry, addresses[0] + offset)->contents |= CONTENTS_DIFFER;
}

// --- claiming

static bool is_of_block_or_thread(uint64_t physical) {
  return physical >= MEMORY_LOCAL_PHYSICAL;
}

static void claim_for_all(Search *search, uint32_t location) {
  const Location *accessed = &search->graph.locations[location];
  search->symmetry->location_claims[location] = 1;
  for (uint32_t i = 0; i < accessed->size; i++)
    claim_byte(search, accessed->address + i, TAINT_NONE, accessed->address + i);
}

static bool are_distinct(const uint64_t *addresses, uint32_t count) {
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (addresses[a] == addresses[b])
        return false;
  return true;
}

static void claim_for_members(Search *search, uint32_t thread, uint32_t location,
                              const uint64_t *addresses, Taint vector) {
  uint64_t distances[SYMMETRY_MOST_MEMBERS];
  uint32_t count = symmetry_group(search, thread)->member_count;
  search->symmetry->location_claims[location] = vector;
  if (!are_distinct(addresses, count)) {
    symmetry_break(search);
    return;
  }
  for (uint32_t m = 0; m < count; m++)
    distances[m] = addresses[m] - addresses[0];
  Taint shape = symmetry_vector(search, thread, distances);
  for (uint32_t i = 0; i < search->graph.locations[location].size; i++) {
    for (uint32_t m = 0; m < count; m++)
      claim_byte(search, addresses[m] + i, shape, addresses[0] + i);
    compare_contents(search, count, addresses, i);
  }
}

// What the address means to each member; false: to some it means nothing.
static bool find_addresses(const Search *search, uint32_t thread, Taint taint, uint64_t address,
                           int64_t offset, Space space, uint32_t size, uint64_t *addresses) {
  for (uint32_t m = 0; m < symmetry_group(search, thread)->member_count; m++) {
    uint64_t own = symmetry_number(search, taint, address, m) + (uint64_t)offset;
    if (memory_resolve(search->program, symmetry_peer(search, thread, m), space, own,
                       &addresses[m]) != ADDRESS_OK ||
        addresses[m] % size != 0 || !memory_find(search->program->memory, addresses[m], size))
      return false;
  }
  return true;
}

static void claim_tainted(Search *search, uint32_t thread, Taint taint, uint64_t address,
                          int64_t offset, Space space, uint32_t location) {
  uint64_t *claimed = &search->symmetry->location_claims[location];
  uint64_t addresses[SYMMETRY_MOST_MEMBERS];
  uint32_t size = search->graph.locations[location].size;
  if (taint == TAINT_UNKNOWN ||
      !find_addresses(search, thread, taint, address, offset, space, size, addresses)) {
    symmetry_break(search);
    return;
  }
  Taint vector = symmetry_vector(search, thread, addresses);
  if (*claimed == (vector == TAINT_NONE ? 1 : vector))
    return;
  if (*claimed)
    symmetry_break(search);
  else if (vector == TAINT_NONE)
    claim_for_all(search, location);
  else
    claim_for_members(search, thread, location, addresses, vector);
}

void symmetry_claim(Search *search, uint32_t thread, const Operand *base, int64_t offset,
                    Space space, uint32_t location, bool is_plain_load) {
  Symmetry *symmetry = search->symmetry;
  Taint taint = symmetry_operand(search, thread, base);
  uint64_t address;
  symmetry->looks_aside = false;
  if (symmetry->is_broken)
    return;
  if (location == EVENT_NONE) {
    if (taint != TAINT_NONE)
      symmetry_break(search);
    return;
  }
  bool is_common = !is_of_block_or_thread(search->graph.locations[location].address);
  if (!symmetry->group_of[thread] || (taint == TAINT_NONE && is_common)) {
    if (symmetry->location_claims[location] > 1 && is_plain_load)
      symmetry->looks_aside = true;
    else if (symmetry->location_claims[location] > 1)
      symmetry_break(search);
    else if (!symmetry->location_claims[location])
      claim_for_all(search, location);
    return;
  }
  kernel_number(search, thread, base, &address);
  claim_tainted(search, thread, taint, address, offset, space, location);
}

// --- what is in it

static bool is_of_members(const Search *search, uint32_t location) {
  return search->symmetry->location_claims[location] > 1;
}

static uint32_t contents_of(const Search *search, uint32_t location) {
  const Location *accessed = &search->graph.locations[location];
  uint32_t contents = 0;
  for (uint32_t i = 0; i < accessed->size; i++)
    contents |= first_claim(search->symmetry, accessed->address + i)->contents;
  return contents;
}

static void note_contents(const Search *search, uint32_t location, uint32_t contents) {
  const Location *accessed = &search->graph.locations[location];
  for (uint32_t i = 0; i < accessed->size; i++)
    first_claim(search->symmetry, accessed->address + i)->contents |= contents;
}

static Taint extend(Search *search, uint32_t thread, Taint taint, uint32_t size, bool is_signed) {
  uint64_t numbers[SYMMETRY_MOST_MEMBERS];
  if (taint <= TAINT_UNKNOWN)
    return taint;
  for (uint32_t m = 0; m < symmetry_group(search, thread)->member_count; m++)
    numbers[m] =
        (uint64_t)value_extended((int64_t)symmetry_number(search, taint, 0, m), size, is_signed);
  return symmetry_vector(search, thread, numbers);
}

// Bytes that are undefined for one member only: nobody knows.
static Taint initial_taint(Search *search, uint32_t thread, uint32_t location) {
  uint64_t numbers[SYMMETRY_MOST_MEMBERS] = {0};
  const TaintVector *addresses =
      &search->symmetry->vectors.items[search->symmetry->location_claims[location] - 2];
  for (uint32_t m = 0; m < symmetry_group(search, thread)->member_count; m++)
    for (uint32_t i = 0; i < search->graph.locations[location].size; i++) {
      uint32_t byte = initial_byte(search, addresses->numbers[m] + i);
      if (byte == UINT32_MAX)
        return TAINT_UNKNOWN;
      numbers[m] |= (uint64_t)byte << 8 * i;
    }
  return symmetry_vector(search, thread, numbers);
}

// Bytes that are everybody's are accessed otherwise than by plain loads and stores.
static void watch(Search *search, uint32_t location) {
  if (contents_of(search, location) & CONTENTS_OPAQUE)
    symmetry_break(search);
  else
    note_contents(search, location, CONTENTS_WATCHED);
}

void symmetry_touch(Search *search, uint32_t thread, uint32_t location) {
  const Symmetry *symmetry = search->symmetry;
  if (!symmetry->is_broken && !symmetry->group_of[thread] && !is_of_members(search, location))
    watch(search, location);
}

// Who is not of the members is not followed further.
static Taint common_taint(Search *search, uint32_t thread, uint32_t location, bool is_eager) {
  if (!is_eager)
    watch(search, location);
  else if (!(contents_of(search, location) & CONTENTS_OPAQUE))
    return TAINT_NONE;
  else if (!search->symmetry->group_of[thread])
    symmetry_break(search);
  return is_eager ? TAINT_UNKNOWN : TAINT_NONE;
}

static Taint loaded_taint(Search *search, uint32_t thread, uint32_t location, bool is_eager) {
  if (!is_of_members(search, location))
    return common_taint(search, thread, location, is_eager);
  if (!(contents_of(search, location) & (CONTENTS_DIFFER | CONTENTS_STORED))) {
    note_contents(search, location, CONTENTS_TRUSTED);
    return TAINT_NONE;
  }
  uint32_t source = is_eager ? kernel_settled_source(search, thread, location) : EVENT_NONE;
  if (source == EVENT_NONE)
    return TAINT_UNKNOWN;
  return source == EVENT_INIT ? initial_taint(search, thread, location)
                              : search->symmetry->event_taints[source];
}

// --- loads of what is the members' own, by others

static uint32_t find_location(const Graph *graph, uint64_t address, uint32_t size) {
  uint32_t i = graph_first_location(graph, address);
  while (i != EVENT_NONE &&
         (graph->locations[i].address != address || graph->locations[i].size != size))
    i = graph->locations[i].next;
  return i;
}

// The number that a member has left at its place, before the load, as it would at the place `as`.
static bool find_left(const Search *search, uint32_t thread, uint32_t location, uint32_t as,
                      uint64_t *left) {
  const Graph *graph = &search->graph;
  const uint64_t *before =
      graph_row(graph, graph->order_before, (uint32_t)graph->last_event[thread]);
  int64_t number;
  if (location == EVENT_NONE)
    return false;
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  for (uint32_t w = 0; w < graph->words; w++)
    if (writes[w] & ~before[w])
      return false;
  uint32_t write = kernel_settled_source(search, thread, location);
  if (write >= EVENT_INIT || search->symmetry->event_taints[write] == TAINT_UNKNOWN ||
      !value_evaluate(&search->values, graph, graph->events[write].value, &number))
    return false;
  *left = symmetry_number(search, search->symmetry->event_taints[write], (uint64_t)number, as);
  return true;
}

static bool sees_the_same(const Search *search, uint32_t thread, uint32_t location) {
  const Symmetry *symmetry = search->symmetry;
  const Location *seen = &search->graph.locations[location];
  const TaintVector *places = &symmetry->vectors.items[symmetry->location_claims[location] - 2];
  uint32_t own = 0;
  uint64_t number, other;
  while (places->numbers[own] != seen->address)
    own++;
  if (!find_left(search, thread, location, own, &number))
    return false;
  for (uint32_t m = 0; m < symmetry->groups[places->group].member_count; m++) {
    uint32_t place = find_location(&search->graph, places->numbers[m], seen->size);
    if (!find_left(search, thread, place, own, &other) || other != number)
      return false;
  }
  return true;
}

// A thread of another member, or of none.
static bool is_other(const Search *search, uint32_t event, uint32_t group, uint32_t member) {
  uint32_t thread = search->graph.events[event].thread;
  return search->symmetry->group_of[thread] != group + 1 ||
         search->symmetry->member_of[thread] != member;
}

bool symmetry_is_looked_at(const Search *search, uint32_t location) {
  const Graph *graph = &search->graph;
  const Symmetry *symmetry = search->symmetry;
  if (!is_of_members(search, location))
    return false;
  const TaintVector *places = &symmetry->vectors.items[symmetry->location_claims[location] - 2];
  for (uint32_t m = 0; m < symmetry->groups[places->group].member_count; m++) {
    uint32_t place = find_location(graph, places->numbers[m], graph->locations[location].size);
    if (place == EVENT_NONE)
      continue;
    BITS_EACH(read, graph_row(graph, graph->reads_at, place), graph->words)
    if (is_other(search, (uint32_t)read, places->group, m))
      return true;
  }
  return false;
}

void symmetry_loaded(Search *search, uint32_t thread, const Instruction *instruction,
                     uint32_t location, bool is_eager) {
  if (search->symmetry->is_broken)
    return;
  if (search->symmetry->looks_aside && !sees_the_same(search, thread, location)) {
    symmetry_break(search);
    return;
  }
  Taint taint =
      search->symmetry->looks_aside ? TAINT_NONE : loaded_taint(search, thread, location, is_eager);
  if (instruction->flags & INSTRUCTION_SIGNED)
    taint = extend(search, thread, taint, instruction->size, true);
  symmetry_set(search, thread, instruction->dst, taint);
}

static void store_common(Search *search, uint32_t write, Taint taint) {
  const Event *event = &search->graph.events[write];
  if (event_is_strong(event)) {
    watch(search, event->location);
    if (taint != TAINT_NONE)
      symmetry_break(search);
  } else if (taint != TAINT_NONE) {
    search->symmetry->event_taints[write] = TAINT_UNKNOWN;
    if (contents_of(search, event->location) & CONTENTS_WATCHED)
      symmetry_break(search);
    note_contents(search, event->location, CONTENTS_OPAQUE);
  }
}

void symmetry_stored(Search *search, uint32_t thread, uint32_t write, const Operand *operand) {
  const Event *event = &search->graph.events[write];
  if (search->symmetry->is_broken)
    return;
  Taint taint = extend(search, thread, symmetry_operand(search, thread, operand),
                       search->graph.locations[event->location].size, false);
  search->symmetry->event_taints[write] = taint;
  if (symmetry_is_looked_at(search, event->location))
    symmetry_break(search);
  if (!is_of_members(search, event->location))
    store_common(search, write, taint);
  else if (taint != TAINT_NONE && (contents_of(search, event->location) & CONTENTS_TRUSTED))
    symmetry_break(search);
  else if (taint != TAINT_NONE)
    note_contents(search, event->location, CONTENTS_STORED);
}

// Results of atomics are the same for all if what they find is.
void symmetry_updated(Search *search, uint32_t location) {
  if (search->symmetry->is_broken)
    return;
  if (!is_of_members(search, location))
    watch(search, location);
  else if (symmetry_is_looked_at(search, location) ||
           (contents_of(search, location) & (CONTENTS_DIFFER | CONTENTS_STORED)))
    symmetry_break(search);
  else
    note_contents(search, location, CONTENTS_TRUSTED);
}

// --- final conditions

// The byte that `member` leaves behind at its place, if it were `as`; UINT32_MAX: not known.
static uint32_t final_byte(Search *search, uint64_t address, uint64_t as_address, uint32_t as) {
  int64_t number;
  uint32_t write = kernel_final_write(search, address);
  if (write == EVENT_NONE)
    return initial_byte(search, as_address);
  const Event *event = &search->graph.events[write];
  Taint taint = search->symmetry->event_taints[write];
  if (taint == TAINT_UNKNOWN ||
      !value_evaluate(&search->values, &search->graph, event->value, &number))
    return UINT32_MAX;
  uint64_t shift = address - search->graph.locations[event->location].address;
  return (symmetry_number(search, taint, (uint64_t)number, as) >> 8 * shift) & 0xff;
}

void symmetry_ask_byte(Search *search, uint64_t address) {
  Symmetry *symmetry = search->symmetry;
  if (symmetry->is_broken || !symmetry->claim_slot_count)
    return;
  const ByteClaim *claim = find_claim(symmetry, address);
  if (claim->contents & CONTENTS_OPAQUE)
    symmetry->bytes_differ = true;
  if (!claim->address || claim->shape == TAINT_NONE)
    return;
  const TaintVector *shape = &symmetry->vectors.items[claim->shape - 2];
  uint32_t count = symmetry->groups[shape->group].member_count, own = 0;
  while (claim->base + shape->numbers[own] != address)
    own++;
  uint32_t byte = final_byte(search, address, address, own);
  for (uint32_t m = 0; m < count; m++)
    if (byte == UINT32_MAX ||
        final_byte(search, claim->base + shape->numbers[m], address, own) != byte)
      symmetry->bytes_differ = true;
}
