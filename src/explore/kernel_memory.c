// Loads, stores and atomics of kernels.
#include "base/bytes.h"
#include "explore/kernel.h"
#include "explore/kernel_slots.h"
#include "explore/kernel_swap.h"
#include "explore/symmetry.h"
#include "ir/alu.h"

static uint64_t size_mask(uint32_t size) {
  return size >= 8 ? ~0ull : (1ull << 8 * size) - 1;
}

ValueId kernel_extend(Search *search, ValueId value, uint32_t size, bool is_signed) {
  int64_t number;
  Value extended = {.kind = VALUE_EXTEND, .op = (uint8_t)size, .flag = is_signed, .first = value};
  if (!value_evaluate(&search->values, &search->graph, value, &number))
    return values_add(&search->values, extended);
  return values_constant(&search->values, value_extended(number, size, is_signed));
}

// --- initial contents

static uint64_t initial_bytes(const Region *region, uint64_t address, uint32_t size,
                              bool *is_undefined) {
  uint64_t offset = address - region->address;
  uint8_t bytes[sizeof(uint64_t)];
  *is_undefined = *is_undefined || region->is_undefined;
  for (uint32_t i = 0; i < size; i++)
    if (region->is_defined && !region->is_defined[offset + i])
      *is_undefined = true;
  memory_read_initial(region, offset, size, bytes);
  return bytes_get(bytes, size);
}

static int64_t initial_number(const Search *search, const Region *region, uint64_t address,
                              uint32_t size, bool *is_undefined) {
  enum { WORD = 8 };
  uint64_t low = initial_bytes(region, address, size < WORD ? size : WORD, is_undefined);
  if (size <= WORD)
    return (int64_t)low;
  uint64_t high = initial_bytes(region, address + WORD, WORD, is_undefined);
  return values_pair(&search->values, low, high);
}

// --- locating

void kernel_stop_at_fault(Search *search, uint32_t thread, RuleNumber rule) {
  kernel_add_fault(search, thread, rule);
  // The thread does nothing more; what the others do is still explored.
  trail_set(&search->trail, &search->threads[thread].pc,
            search->codes[thread].thread->instruction_count);
}

static bool is_plain(const Search *search, const Instruction *instruction) {
  return instruction->sem == SEM_WEAK && !search->options->explore_races;
}

static bool is_aligned(const Instruction *instruction, uint64_t physical, uint32_t size) {
  if (!instruction->align || size != instruction->size)
    return physical % size == 0;
  return (physical - (uint64_t)instruction->element_offset) % instruction->align == 0;
}

// A text knows locations, not bytes that several of them have.
static bool text_knows(Search *search, uint32_t location) {
  const Graph *graph = &search->graph;
  if (!search->judge)
    return true;
  for (uint32_t i = graph_first_overlapping(graph, location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, location, i))
    if (i != location) {
      search->kernel->unsupported = "accesses of several sizes to the same bytes, which only the "
                                    "built-in models judge, are not supported under a text";
      search_halt(search, STOP_UNSUPPORTED);
      return false;
    }
  return true;
}

static uint32_t intern(Search *search, const Region *region, uint64_t physical, uint32_t size) {
  Location fresh = {.address = physical, .size = size};
  fresh.initial = initial_number(search, region, physical, size, &fresh.is_undefined);
  return graph_intern_location(&search->graph, fresh);
}

uint32_t kernel_intern_word(Search *search, uint64_t physical) {
  const Region *region = memory_find(search->program->memory, physical, KERNEL_WORD_BYTES);
  return region ? intern(search, region, physical, KERNEL_WORD_BYTES) : EVENT_NONE;
}

bool kernel_locate(Search *search, uint32_t thread, const Instruction *instruction,
                   const Operand *base, int64_t offset, Space space, uint32_t size,
                   uint32_t *location, bool *is_known) {
  uint64_t address, physical;
  *location = EVENT_NONE;
  *is_known = kernel_number(search, thread, base, &address);
  if (!*is_known)
    return true;
  address += (uint64_t)offset;
  AddressResult resolved = memory_resolve(search->program, thread, space, address, &physical);
  const Region *region =
      resolved == ADDRESS_OK ? memory_find(search->program->memory, physical, size) : NULL;
  if (!region || !is_aligned(instruction, physical, size)) {
    bool is_misaligned = !is_aligned(instruction, physical, size);
    if (search->symmetry)
      symmetry_claim(search, thread, base, offset, space, EVENT_NONE, false);
    if (slots_are_on(search))
      slots_note_fault(search, thread, base);
    kernel_stop_at_fault(search, thread, is_misaligned ? RULE_MISALIGNED : RULE_OUT_OF_BOUNDS);
    return true;
  }
  *location = intern(search, region, physical, size);
  if (*location == EVENT_NONE)
    search_halt(search, STOP_CAPACITY);
  else if (search->symmetry)
    symmetry_claim(search, thread, base, offset, space, *location,
                   instruction->op == IR_LOAD && is_plain(search, instruction));
  bool is_other = instruction->op != IR_LOAD && instruction->op != IR_STORE;
  if (*location != EVENT_NONE && is_other && slots_are_on(search))
    slots_touch(search, *location);
  if (*location != EVENT_NONE && is_other && search->symmetry)
    symmetry_touch(search, thread, *location);
  return *location != EVENT_NONE && text_knows(search, *location);
}

static bool is_atomic_here(const Search *search, uint32_t thread, const Instruction *instruction,
                           uint32_t location) {
  const Program *program = search->program;
  const Location *accessed = &search->graph.locations[location];
  const Region *region = memory_find(program->memory, accessed->address, accessed->size);
  return !region || region->block != UINT32_MAX ||
         machine_makes_atomic(program->machine, region->home, &program->threads[thread].place,
                              machine_operation(instruction));
}

Event kernel_access_event(const Search *search, uint32_t thread, const Instruction *instruction,
                          EventKind half, uint32_t location) {
  Event event = {.kind = half,
                 .sem = (uint8_t)sem_of_half(instruction->sem, half),
                 .scope = instruction->scope,
                 .proxy = instruction->proxy,
                 .thread = thread,
                 .location = location,
                 .virtual_location = location};
  if (instruction->flags & INSTRUCTION_VOLATILE)
    event.flags |= EVENT_VOLATILE;
  if (search->program->machine && instruction->scope == SCOPE_SYS &&
      !is_atomic_here(search, thread, instruction, location))
    event.flags |= EVENT_DEVICE_ONLY;
  return event;
}

// --- reads that are settled at once

// An unresolved read before the thread's next event that may still bring an order with it.
static uint32_t find_pending_acquire(const Search *search, uint32_t thread) {
  const Graph *graph = &search->graph;
  uint64_t last = graph->last_event[thread];
  if (last == EVENT_NONE)
    return EVENT_NONE;
  const uint64_t *before = graph_row(graph, graph->order_before, (uint32_t)last);
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t past = before[w] | (w == last >> 6 ? 1ull << (last & 63) : 0);
    for (uint64_t left = past & search->open_reads[w]; left; left &= left - 1) {
      uint32_t read = w * 64 + bits_first(left);
      const uint64_t *lasts = graph_row(graph, graph->lasts, read);
      for (uint32_t i = 0; i < graph->words; i++)
        if (lasts[i])
          return read;
    }
  }
  return EVENT_NONE;
}

bool kernel_is_settled(Search *search, uint32_t thread) {
  uint32_t pending = find_pending_acquire(search, thread);
  if (pending == EVENT_NONE)
    return true;
  ValueId awaited = values_add(&search->values, (Value){.kind = VALUE_READ, .event = pending});
  trail_set(&search->trail, &search->threads[thread].waits_for, awaited + 1ull);
  return false;
}

static bool has_fence_in_past(const Graph *graph, uint64_t last) {
  const uint64_t *before = graph_row(graph, graph->order_before, (uint32_t)last);
  for (uint32_t w = 0; w < graph->words; w++)
    if (graph->sc_events[w] & before[w])
      return true;
  return bits_has(graph->sc_events, (uint32_t)last);
}

static bool has_unordered_write(const Graph *graph, uint64_t last, uint32_t location) {
  const uint64_t *before = graph_row(graph, graph->order_before, (uint32_t)last);
  for (uint32_t i = graph_first_location(graph, graph->locations[location].address);
       i != EVENT_NONE; i = graph->locations[i].next) {
    const uint64_t *writes = graph_row(graph, graph->writes_at, i);
    for (uint32_t w = 0; w < graph->words; w++)
      if (writes[w] & ~before[w])
        return true;
  }
  return false;
}

bool kernel_order_fences(Search *search, uint32_t thread, uint32_t location) {
  const Graph *graph = &search->graph;
  uint64_t last = graph->last_event[thread];
  return last == EVENT_NONE || !has_fence_in_past(graph, last) ||
         !has_unordered_write(graph, last, location) || search_force_fences(search);
}

bool kernel_settle_read(Search *search, uint32_t thread, uint32_t location, ValueId *value) {
  Graph *graph = &search->graph;
  if (!kernel_is_settled(search, thread) || !kernel_knows_sources(search, thread, location))
    return false;
  uint64_t last = graph->last_event[thread];
  if (kernel_is_mixed(search, location))
    return kernel_settle_bytes(search, thread, location, value);
  uint32_t write = kernel_newest_write(search, last, location);
  if (write == EVENT_NONE) {
    const Location read = graph->locations[location];
    UndefinedValue undefined = {.bits = read.is_undefined ? ir_low_bits(8 * read.size) : 0,
                                .origin = (uint32_t)search->threads[thread].pc,
                                .is_hollow = true};
    *value = kernel_read_undefined(search, thread, location,
                                   values_constant(&search->values, read.initial), undefined);
  } else {
    *value = graph->events[write].value;
  }
  return true;
}

uint32_t kernel_settled_source(const Search *search, uint32_t thread, uint32_t location) {
  if (kernel_is_mixed(search, location))
    return EVENT_NONE;
  uint32_t write = kernel_newest_write(search, search->graph.last_event[thread], location);
  return write == EVENT_NONE ? EVENT_INIT : write;
}

// --- loads and stores

// Has all that the write's launch did come before the thread's next event? Not in its own launch.
static bool is_of_ended_launch(const Search *search, uint32_t write, uint32_t thread) {
  const Graph *graph = &search->graph;
  const Thread *threads = search->program->threads;
  uint32_t grid = threads[graph->events[write].thread].grid;
  uint64_t end = search->kernel->grids[grid].end, last = graph->last_event[thread];
  return grid != threads[thread].grid && end && last != EVENT_NONE &&
         (end - 1 == last ||
          graph_has(graph, graph->order_after, (uint32_t)end - 1, (uint32_t)last));
}

static void check_read_only(Search *search, uint32_t thread, const Instruction *instruction,
                            uint32_t location) {
  const Graph *graph = &search->graph;
  if (!(instruction->flags & INSTRUCTION_READ_ONLY))
    return;
  for (uint32_t i = graph_first_overlapping(graph, location); i != EVENT_NONE;
       i = graph_next_overlapping(graph, location, i))
    BITS_EACH(write, graph_row(graph, graph->writes_at, i), graph->words)
  if (!is_of_ended_launch(search, (uint32_t)write, thread))
    kernel_add_fault(search, thread, RULE_NC_LOAD_OF_WRITTEN_DATA);
}

bool kernel_settle_load(Search *search, Event *load, bool *is_done) {
  ValueId value;
  if (!kernel_order_fences(search, load->thread, load->location))
    return false;
  *is_done = kernel_settle_read(search, load->thread, load->location, &value);
  if (!*is_done)
    return true;
  load->flags |= EVENT_EAGER;
  load->value = value;
  return true;
}

// The load becomes eager unless its source has to be chosen.
static bool settle_load(Search *search, uint32_t thread, const Instruction *instruction,
                        Event *event, bool *is_done) {
  Event settled = *event;
  if (!kernel_settle_load(search, &settled, is_done))
    return false;
  if (!*is_done)
    return true;
  check_read_only(search, thread, instruction, event->location);
  if (!kernel_has_rivals(search, thread, event->location))
    *event = settled;
  return true;
}

bool kernel_load(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done) {
  uint32_t location, id;
  if (!kernel_locate(search, thread, instruction, &instruction->address, instruction->offset,
                     (Space)instruction->space, instruction->size, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  Event event = kernel_access_event(search, thread, instruction, EVENT_READ, location);
  if (!kernel_widen_load(search, &event))
    return false;
  if (is_plain(search, instruction) && !settle_load(search, thread, instruction, &event, is_done))
    return false;
  if (!*is_done)
    return true;
  bool is_eager = event.flags & EVENT_EAGER;
  if (!is_eager)
    *is_done = kernel_note_left(search, thread, &event);
  if (!*is_done)
    return true;
  if (!search_add_event(search, event, &id))
    return false;
  ValueId value = is_eager ? event.value
                           : values_add(&search->values, (Value){.kind = VALUE_READ, .event = id});
  if (event.location != location)
    value = kernel_part_of_word(search, &event, value);
  ValueId extended = value;
  if (instruction->flags & INSTRUCTION_SIGNED)
    extended = kernel_extend(search, value, instruction->size, true);
  if (search->kernel->has_undefined)
    extended = kernel_loaded_value(search, thread, instruction, location, value, extended);
  kernel_set_result(search, thread, instruction, extended);
  if (search->symmetry)
    symmetry_loaded(search, thread, instruction, location, is_eager);
  if (slots_are_on(search))
    slots_loaded(search, thread, instruction, id);
  return true;
}

bool kernel_store(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done) {
  uint32_t location, id;
  if (!kernel_locate(search, thread, instruction, &instruction->address, instruction->offset,
                     (Space)instruction->space, instruction->size, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  Event event = kernel_access_event(search, thread, instruction, EVENT_WRITE, location);
  event.value = kernel_extend(search, kernel_operand(search, thread, instruction, 0),
                              instruction->size, false);
  if (search->kernel->has_undefined)
    event.value = kernel_stored_value(search, thread, instruction, location, event.value);
  if (!search_add_event(search, event, &id))
    return false;
  if (search->symmetry)
    symmetry_stored(search, thread, id, &instruction->src[0]);
  if (slots_are_on(search))
    slots_stored(search, thread, instruction, id);
  return true;
}

// --- atomics

static bool is_commutative(const Instruction *instruction) {
  if (instruction->atom != ATOM_ALU)
    return false;
  switch ((AluOp)instruction->alu->op) {
  case ALU_ADD:
  case ALU_AND:
  case ALU_OR:
  case ALU_XOR:
  case ALU_MIN:
  case ALU_MAX:
    return true;
  default:
    return false;
  }
}

static bool result_is_dead(const Search *search, uint32_t thread, const Instruction *instruction) {
  const Code *code = &search->codes[thread];
  uint32_t next = (uint32_t)search->threads[thread].pc + 1;
  return instruction->dst == UINT32_MAX || instruction->flags & INSTRUCTION_UNUSED ||
         !code_is_live(code, next, instruction->dst);
}

ValueId kernel_atomic_value(Search *search, const Instruction *instruction, uint32_t size,
                            ValueId old, ValueId second) {
  int64_t number;
  Value value = {.kind = VALUE_ATOMIC,
                 .op = instruction->atom,
                 .flag = (uint8_t)size,
                 .alu = instruction->alu,
                 .first = old,
                 .second = second,
                 .third = second};
  ValueId id = values_add(&search->values, value);
  // Chains of known values stay short.
  if (value_evaluate(&search->values, &search->graph, id, &number))
    return values_constant(&search->values, number);
  return id;
}

static ValueId atomic_value(Search *search, uint32_t thread, const Instruction *instruction,
                            ValueId old) {
  return kernel_atomic_value(search, instruction, instruction->size, old,
                             kernel_operand(search, thread, instruction, 0));
}

uint32_t kernel_newest_update(const Search *search, uint32_t location) {
  const Graph *graph = &search->graph;
  uint32_t newest = EVENT_NONE;
  BITS_EACH(bit, graph_row(graph, graph->writes_at, location), graph->words) {
    uint32_t write = (uint32_t)bit;
    if (newest == EVENT_NONE || graph_has(graph, graph->coherence_after, newest, write) ||
        graph_has(graph, graph->order_after, newest, write) ||
        !graph_has(graph, graph->coherence_after, write, newest))
      newest = write;
  }
  return newest;
}

bool kernel_find_updated(Search *search, uint32_t thread, uint32_t location, uint32_t newest,
                         ValueId *old) {
  const Graph *graph = &search->graph;
  *old = newest == EVENT_NONE ? values_constant(&search->values, graph->locations[location].initial)
                              : graph->events[newest].value;
  return !kernel_is_left_behind(search, thread, location, newest) ||
         kernel_settle_bytes(search, thread, location, old);
}

// Atomics that commute and whose results nobody uses need no order among themselves while nobody
// else looks at the location: any order leaves the same value. They are added one behind the other
// as writes without a read half. Leaving the read half out drops only synchronisation that depends
// on which of them came first, and each of them can be the first. If an access that is not ordered
// with them turns out to look at the location, the whole search starts again with that location
// explored in full (`search_is_contended`).
static bool add_update(Search *search, uint32_t thread, const Instruction *instruction,
                       uint32_t location, bool *is_done) {
  Graph *graph = &search->graph;
  uint32_t newest = kernel_newest_update(search, location), id;
  ValueId old;
  *is_done = kernel_find_updated(search, thread, location, newest, &old);
  if (!*is_done)
    return true;
  Event event = kernel_access_event(search, thread, instruction, EVENT_WRITE, location);
  event.flags |= EVENT_UPDATE;
  event.value = atomic_value(search, thread, instruction, old);
  if (!search_add_event(search, event, &id))
    return false;
  search->update_base[id] = newest;
  if (newest != EVENT_NONE && !graph_has(graph, graph->coherence_after, newest, id) &&
      !graph_add_coherence(graph, newest, id))
    return false;
  slots_note_update(search, thread, instruction, id, old,
                    !result_is_dead(search, thread, instruction));
  return !search->must_stop; // a search that starts again has given the thread no number
}

static bool add_read_half(Search *search, uint32_t thread, const Instruction *instruction,
                          uint32_t location, uint32_t *id, bool *is_done) {
  Event event = kernel_access_event(search, thread, instruction, EVENT_READ, location);
  *is_done = kernel_note_left(search, thread, &event);
  if (!*is_done)
    return true;
  if (instruction->atom == ATOM_CAS)
    event.sem = (uint8_t)machine_unknown_sem(search, instruction);
  return search_add_atomic_read(search, instruction, event, id);
}

static bool add_write_half(Search *search, uint32_t thread, const Instruction *instruction,
                           uint32_t read, ValueId value) {
  Event event = kernel_access_event(search, thread, instruction, EVENT_WRITE,
                                    search->graph.events[read].location);
  return kernel_note_whole(search, &event) && search_add_atomic_write(search, read, event, value);
}

// The write of a compare-and-swap exists only if it succeeds: the thread waits between the halves.
static bool finish_cas(Search *search, uint32_t thread, const Instruction *instruction,
                       bool *is_done) {
  ThreadState *state = &search->threads[thread];
  uint32_t read = (uint32_t)state->cas_read - 1;
  // What it expects comes first: then it is known what a failure would lead to (kernel_retry.h).
  ValueId needed[] = {
      (ValueId)state->cas_expected,
      values_add(&search->values, (Value){.kind = VALUE_READ, .event = read}),
  };
  int64_t numbers[2];
  for (uint32_t i = 0; i < 2; i++) {
    *is_done = value_evaluate(&search->values, &search->graph, needed[i], &numbers[i]);
    if (!*is_done) {
      trail_set(&search->trail, &state->waits_for, needed[i] + 1ull);
      return true;
    }
  }
  trail_set(&search->trail, &state->cas_read, 0);
  uint64_t mask = size_mask(instruction->size);
  bool is_success = ((uint64_t)numbers[0] & mask) == ((uint64_t)numbers[1] & mask);
  return machine_settle_sem(search, instruction, read, is_success) &&
         (!is_success ||
          add_write_half(search, thread, instruction, read, (ValueId)state->cas_fresh));
}

// Operands are read before the destination is written: they may be one register.
static bool start_cas(Search *search, uint32_t thread, const Instruction *instruction,
                      uint32_t read, bool *is_done) {
  ThreadState *state = &search->threads[thread];
  ValueId expected = kernel_operand(search, thread, instruction, 0);
  ValueId fresh = kernel_extend(search, kernel_operand(search, thread, instruction, 1),
                                instruction->size, false);
  trail_set(&search->trail, &state->cas_read, read + 1ull);
  trail_set(&search->trail, &state->cas_expected, expected);
  trail_set(&search->trail, &state->cas_fresh, fresh);
  kernel_set_result(search, thread, instruction,
                    values_add(&search->values, (Value){.kind = VALUE_READ, .event = read}));
  return finish_cas(search, thread, instruction, is_done);
}

// Under tso and sc an atomic is a fence, too. What the functions of a guest compute from results is
// known to be nothing if they say that they do not use them.
static bool may_be_unordered(const Search *search) {
  return search_merges(search) ||
         (search->guests && !search->options->explore_races && !search->options->explore_all);
}

// Is everything known that can come before what the thread does now? Then updates that are added
// later do not come before it. A read without a source may still synchronise with something, and
// seq_cst operations may turn out to be ordered.
static bool is_past_known(const Search *search, uint32_t thread) {
  const Graph *graph = &search->graph;
  uint64_t last = graph->last_event[thread];
  return bits_is_empty(graph->sc_events, graph->words) &&
         (last == EVENT_NONE || (!bits_has(search->open_reads, (uint32_t)last) &&
                                 !bits_meet(graph_row(graph, graph->order_before, (uint32_t)last),
                                            search->open_reads, graph->words)));
}

static bool order_updates(Search *search, uint32_t location) {
  search_start_again(search, (Restart){.kind = RESTART_LOCATION,
                                       .address = search->graph.locations[location].address});
  return false;
}

// May an update that is put behind all others come against an acquire or a fence?
static bool needs_order(const Search *search, uint32_t thread, const Instruction *instruction) {
  uint64_t last = search->graph.last_event[thread];
  return search->guests ? instruction->sem == SEM_SC || !is_past_known(search, thread)
                        : find_pending_acquire(search, thread) != EVENT_NONE ||
                              (last != EVENT_NONE && has_fence_in_past(&search->graph, last));
}

static bool add_unordered(Search *search, uint32_t thread, const Instruction *instruction,
                          uint32_t location, bool *is_done) {
  if (needs_order(search, thread, instruction))
    return order_updates(search, location);
  if (search->guests)
    kernel_set_result(search, thread, instruction, values_constant(&search->values, 0));
  return add_update(search, thread, instruction, location, is_done);
}

bool kernel_keeps_updates_apart(Search *search, const Event *added) {
  const Graph *graph = &search->graph;
  if (!search->guests || added->sem != SEM_SC)
    return true;
  for (uint32_t i = 0; i < graph->event_count; i++)
    if (graph->events[i].flags & EVENT_UPDATE)
      return order_updates(search, graph->events[i].location);
  return true;
}

bool kernel_atomic(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done) {
  uint32_t location, read;
  if (search->threads[thread].cas_read)
    return finish_cas(search, thread, instruction, is_done);
  if (!kernel_locate(search, thread, instruction, &instruction->address, instruction->offset,
                     (Space)instruction->space, instruction->size, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  if (search->symmetry)
    symmetry_updated(search, location);
  bool is_dead = result_is_dead(search, thread, instruction);
  if (may_be_unordered(search) && is_commutative(instruction) &&
      (is_dead || slots_may_hand_out(search, thread, instruction, location))) {
    // Where one order stands for all, those that need an order have it.
    if (!search_is_contended(search, location) &&
        !(search_is_sampled(search, location) && needs_order(search, thread, instruction))) {
      *is_done = !slots_asks(search, thread, location);
      return !*is_done || add_unordered(search, thread, instruction, location, is_done);
    }
    if (!search->guests)
      kernel_note_atomic(search, location);
  }
  if (!kernel_is_mixed(search, location) && kernel_is_poll(search, thread, instruction, location))
    return kernel_add_poll(search, thread, instruction, location);
  if (!add_read_half(search, thread, instruction, location, &read, is_done))
    return false;
  if (!*is_done)
    return true;
  if (instruction->atom == ATOM_CAS)
    return start_cas(search, thread, instruction, read, is_done);
  ValueId old = values_add(&search->values, (Value){.kind = VALUE_READ, .event = read});
  ValueId fresh = atomic_value(search, thread, instruction, old);
  kernel_set_result(search, thread, instruction, old);
  if (!(search->graph.events[read].flags & EVENT_MIXED))
    swaps_note(search, thread, read, search->threads[thread].pc + 1);
  return add_write_half(search, thread, instruction, read, fresh);
}

// --- the end

static bool is_followed(const Graph *graph, uint32_t write, uint32_t location) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  for (uint32_t w = 0; w < graph->words; w++)
    if (writes[w] & (graph_row(graph, graph->order_after, write)[w] |
                     graph_row(graph, graph->coherence_after, write)[w]))
      return true;
  return false;
}

// Of the last writes of a location, which nothing orders, the one with the number `choice`.
static uint32_t final_write_at(const Graph *graph, uint32_t location, uint32_t choice) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  uint32_t count = 0, wanted;
  BITS_EACH(write, writes, graph->words)
  count += !is_followed(graph, (uint32_t)write, location);
  if (count < 2)
    return EVENT_NONE;
  wanted = choice % count;
  BITS_EACH(write, writes, graph->words)
  if (!is_followed(graph, (uint32_t)write, location) && wanted-- == 0)
    return (uint32_t)write;
  return EVENT_NONE;
}

// Of writes to a byte one that comes last, EVENT_NONE: there is none.
static uint32_t final_write(const Graph *graph, uint64_t address) {
  uint32_t newest = EVENT_NONE;
  Location byte = {.address = address, .size = 1};
  for (uint32_t i = graph_first_location(graph, address); i != EVENT_NONE;
       i = graph->locations[i].next) {
    if (!locations_overlap(&graph->locations[i], &byte))
      continue;
    BITS_EACH(bit, graph_row(graph, graph->writes_at, i), graph->words) {
      uint32_t write = (uint32_t)bit;
      if (newest == EVENT_NONE || graph_has(graph, graph->order_after, newest, write) ||
          graph_has(graph, graph->coherence_after, newest, write) ||
          (!graph_has(graph, graph->order_after, write, newest) &&
           !graph_has(graph, graph->coherence_after, write, newest)))
        newest = write;
    }
  }
  return newest;
}

uint32_t kernel_final_write(const Search *search, uint64_t address) {
  const Graph *graph = &search->graph;
  uint32_t write = final_write(graph, address);
  if (write == EVENT_NONE)
    return EVENT_NONE;
  uint32_t other = final_write_at(graph, graph->events[write].location, search->final_choice);
  return other == EVENT_NONE ? write : other;
}

bool kernel_final_byte(void *context, uint64_t address, uint8_t *byte) {
  Search *search = context;
  const Graph *graph = &search->graph;
  uint32_t write = kernel_final_write(search, address);
  int64_t number;
  if (search->symmetry)
    symmetry_ask_byte(search, address);
  if (slots_are_on(search))
    slots_ask_byte(search, address, write);
  bool is_undefined = false;
  if (write == EVENT_NONE) {
    const Region *region = memory_find(search->program->memory, address, 1);
    if (!region)
      return false;
    *byte = (uint8_t)initial_bytes(region, address, 1, &is_undefined);
    return !is_undefined;
  }
  if (!value_evaluate(&search->values, graph, graph->events[write].value, &number))
    return false;
  uint32_t location = graph->events[write].location;
  *byte = value_byte(&search->values, &search->graph.locations[location], number,
                     (uint32_t)(address - graph->locations[location].address));
  return true;
}
