// Updates that get lost: a load and a store that are meant as one step.
#include "explore/kernel_cause.h"
#include "ir/alu.h"

#include <string.h>

static bool is_half(const Graph *graph, uint32_t event) {
  return graph->mate[event] != EVENT_NONE ||
         (graph->events[event].flags & (EVENT_ATOMIC | EVENT_UPDATE | EVENT_ASYNC));
}

// An exchange that nobody asks what it found overwrites it just as a store does.
static bool is_blind_exchange(const Search *search, uint32_t write) {
  const Event *event = &search->graph.events[write];
  const Code *code = &search->codes[event->thread];
  if (search->graph.mate[write] == EVENT_NONE ||
      event->instruction >= code->thread->instruction_count)
    return false;
  const Instruction *instruction = &code->thread->instructions[event->instruction];
  return (instruction->op == IR_ATOM || instruction->op == IR_RED) &&
         instruction->atom == ATOM_EXCH &&
         (instruction->dst == UINT32_MAX ||
          !code_is_live(code, event->instruction + 1, instruction->dst));
}

// The read that the store goes back to: the thread's last access of the location before it.
static uint32_t find_load(const Graph *graph, uint32_t write) {
  const Event *stored = &graph->events[write];
  uint32_t last = EVENT_NONE;
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t here = graph_row(graph, graph->writes_at, stored->location)[w] |
                    graph_row(graph, graph->reads_at, stored->location)[w];
    here &= graph_row(graph, graph->thread_events, stored->thread)[w];
    for (uint64_t left = here; left; left &= left - 1) {
      uint32_t event = w * 64 + bits_first(left);
      if (graph_is_po(graph, event, write) && event != graph->mate[write] &&
          !(last != EVENT_NONE && graph_is_po(graph, event, last)))
        last = event;
    }
  }
  return last != EVENT_NONE && graph->events[last].kind == EVENT_READ && !is_half(graph, last)
             ? last
             : EVENT_NONE;
}

static bool has_value(const Search *search, uint32_t write, int64_t *value) {
  return value_evaluate(&search->values, &search->graph, search->graph.events[write].value, value);
}

// Does the write leave something else behind than what the load found?
static bool changes_value(const Search *search, uint32_t read, uint32_t rival) {
  const Graph *graph = &search->graph;
  uint32_t source = kernel_source(search, read);
  int64_t found = graph->locations[graph->events[read].location].initial, fresh;
  if (source == EVENT_NONE || (source != EVENT_INIT && !has_value(search, source, &found)))
    return false;
  return has_value(search, rival, &fresh) && fresh != found;
}

// Comes the rival's write, or may it come, between the load and the store?
static bool comes_between(const Search *search, uint32_t read, uint32_t write, uint32_t rival) {
  const Graph *graph = &search->graph;
  uint32_t source = kernel_source(search, read);
  if (graph->events[rival].thread == graph->events[read].thread || rival == source ||
      graph_has(graph, graph->order_before, read, rival) ||
      graph_has(graph, graph->order_after, write, rival) ||
      graph_has(graph, graph->coherence_after, write, rival))
    return false;
  return source == EVENT_INIT || !graph_has(graph, graph->coherence_after, rival, source);
}

// Is it certain that the store overwrites the rival's write?
static bool overwrites(const Graph *graph, uint32_t write, uint32_t rival) {
  return graph_has(graph, graph->coherence_before, write, rival);
}

static bool find_at(const Search *search, uint32_t write, LostUpdate *lost) {
  const Graph *graph = &search->graph;
  if (is_half(graph, write) && !is_blind_exchange(search, write))
    return false;
  uint32_t read = find_load(graph, write);
  if (read == EVENT_NONE)
    return false;
  BITS_EACH(rival, graph_row(graph, graph->writes_at, graph->events[write].location), graph->words)
  if (comes_between(search, read, write, (uint32_t)rival) &&
      changes_value(search, read, (uint32_t)rival)) {
    *lost = (LostUpdate){read, write, (uint32_t)rival};
    return true;
  }
  return false;
}

bool kernel_find_lost_update(const Search *search, uint64_t address, uint32_t size,
                             LostUpdate *lost) {
  const Graph *graph = &search->graph;
  Location bytes = {.address = address, .size = size};
  for (uint32_t write = 0; write < graph->event_count; write++)
    if (graph->events[write].kind == EVENT_WRITE &&
        locations_overlap(&graph->locations[graph->events[write].location], &bytes) &&
        find_at(search, write, lost))
      return true;
  return false;
}

bool kernel_find_seen_loss(const Search *search, uint32_t thread, LostUpdate *lost) {
  const Graph *graph = &search->graph;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, thread), graph->words) {
    const Event *event = &graph->events[bit];
    const Location *location = &graph->locations[event->location];
    if (event->kind == EVENT_READ && !(event->flags & EVENT_ASYNC) &&
        kernel_find_lost_update(search, location->address, location->size, lost) &&
        graph->events[lost->write].thread != thread)
      return true;
  }
  return false;
}

// --- vectors

static const Instruction *instruction_of(const Search *search, uint32_t event) {
  const Event *made = &search->graph.events[event];
  return &search->codes[made->thread].thread->instructions[made->instruction];
}

// Two elements of one vector access: the instructions stand side by side, as their events do.
static bool is_same_vector(const Search *search, uint32_t a, uint32_t b) {
  const Event *first = &search->graph.events[a], *second = &search->graph.events[b];
  return a != b && first->thread == second->thread && first->kind == second->kind &&
         instruction_of(search, a)->text == instruction_of(search, b)->text &&
         first->instruction - second->instruction == first->po_index - second->po_index &&
         first->instruction != second->instruction;
}

// The element of the vector of `write` at the location of `read`; EVENT_NONE: there is none.
static uint32_t find_element(const Search *search, uint32_t write, uint32_t read) {
  const Graph *graph = &search->graph;
  BITS_EACH(other, graph_row(graph, graph->writes_at, graph->events[read].location), graph->words)
  if (is_same_vector(search, write, (uint32_t)other))
    return (uint32_t)other;
  return EVENT_NONE;
}

static bool is_torn(const Search *search, uint32_t fresh, uint32_t old, TornRead *torn) {
  const Graph *graph = &search->graph;
  uint32_t source = kernel_source(search, fresh), older = kernel_source(search, old);
  if (source >= EVENT_INIT || graph->events[source].thread == graph->events[fresh].thread ||
      !is_same_vector(search, fresh, old))
    return false;
  uint32_t write = find_element(search, source, old);
  if (write == EVENT_NONE || write == older || older == EVENT_NONE ||
      (older != EVENT_INIT && !graph_has(graph, graph->coherence_after, older, write)))
    return false;
  *torn = (TornRead){fresh, old, write};
  return true;
}

bool kernel_find_torn_read(const Search *search, uint32_t thread, TornRead *torn) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++) {
    const Event *event = &graph->events[i];
    if (event->kind != EVENT_READ || (thread != UINT32_MAX && event->thread != thread))
      continue;
    BITS_EACH(bit, graph_row(graph, graph->thread_events, event->thread), graph->words)
    if (graph->events[bit].kind == EVENT_READ && is_torn(search, i, (uint32_t)bit, torn))
      return true;
  }
  return false;
}

// --- without a condition

typedef struct Slice {
  const Thread *code;
  uint64_t *registers; // that the store's value depends on
  bool is_grown;
} Slice;

static void add_register(Slice *slice, const Operand *operand) {
  if (operand->kind != OPERAND_REGISTER || bits_has(slice->registers, operand->index))
    return;
  bits_add(slice->registers, operand->index);
  slice->is_grown = true;
}

static bool writes_slice(const Slice *slice, const Instruction *instruction) {
  if (instruction->dst != UINT32_MAX && bits_has(slice->registers, instruction->dst))
    return true;
  for (uint32_t i = 0; i < sizeof instruction->more / sizeof *instruction->more; i++)
    if (instruction->op >= IR_ALU && instruction->more[i] != UINT32_MAX &&
        bits_has(slice->registers, instruction->more[i]))
      return true;
  return false;
}

static void follow(Slice *slice) {
  const Thread *code = slice->code;
  for (uint32_t i = 0; i < code->instruction_count; i++) {
    const Instruction *instruction = &code->instructions[i];
    bool computes = instruction->op < IR_LOAD || instruction->op == IR_ALU;
    if (!computes || !writes_slice(slice, instruction))
      continue;
    for (uint32_t j = 0; j < sizeof instruction->src / sizeof *instruction->src; j++)
      add_register(slice, &instruction->src[j]);
  }
}

// The registers of the slice, as bits in their order, that hold something computed from the load:
// before each instruction.
typedef struct Flow {
  const Slice *slice;
  uint64_t *held;
  bool is_grown;
} Flow;

static uint64_t slot_of(const Slice *slice, uint32_t reg) {
  uint32_t slot = 0;
  if (reg == UINT32_MAX || !bits_has(slice->registers, reg))
    return 0;
  for (uint32_t w = 0; w < reg / 64; w++)
    slot += bits_count(slice->registers[w]);
  slot += bits_count(slice->registers[reg / 64] & ((1ull << reg % 64) - 1));
  return 1ull << slot;
}

static bool has_held_operand(const Slice *slice, const Instruction *instruction, uint64_t held) {
  for (uint32_t i = 0; i < sizeof instruction->src / sizeof *instruction->src; i++)
    if (instruction->src[i].kind == OPERAND_REGISTER &&
        (held & slot_of(slice, instruction->src[i].index)))
      return true;
  return false;
}

// What is held behind the instruction.
static uint64_t pass(const Slice *slice, const Instruction *instruction, uint64_t held) {
  bool computes = instruction->op < IR_LOAD || instruction->op == IR_ALU;
  uint64_t written = slot_of(slice, instruction->dst);
  for (uint32_t i = 0; instruction->op >= IR_ALU && i < 3; i++)
    written |= slot_of(slice, instruction->more[i]);
  return computes && has_held_operand(slice, instruction, held) ? held | written : held & ~written;
}

static void hold(Flow *flow, uint32_t at, uint64_t held) {
  if (at >= flow->slice->code->instruction_count || !(held & ~flow->held[at]))
    return;
  flow->held[at] |= held;
  flow->is_grown = true;
}

static void pass_on(Flow *flow, uint32_t at) {
  const Instruction *instruction = &flow->slice->code->instructions[at];
  uint64_t held = pass(flow->slice, instruction, flow->held[at]);
  bool always_jumps = instruction->op == IR_BRANCH_INDEX || instruction->op == IR_EXIT ||
                      (instruction->op == IR_BRANCH && instruction->compare == IR_NOP);
  if (!always_jumps)
    hold(flow, at + 1, held);
  if (instruction->op == IR_BRANCH)
    hold(flow, instruction->target, held);
  for (uint32_t i = 0; i < instruction->target_count; i++)
    hold(flow, instruction->targets[i], held);
}

// Does what the load gave get to the store along some path?
static bool flows(const Search *search, const Slice *slice, uint32_t load, uint32_t store) {
  const Instruction *code = slice->code->instructions;
  Flow flow = {slice, ARENA_ARRAY(search->temporary, uint64_t, slice->code->instruction_count + 1),
               true};
  hold(&flow, load + 1, slot_of(slice, code[load].dst));
  while (flow.is_grown) {
    flow.is_grown = false;
    for (uint32_t i = 0; i < slice->code->instruction_count; i++)
      if (flow.held[i])
        pass_on(&flow, i);
  }
  return has_held_operand(slice, &code[store], flow.held[store]);
}

static uint32_t register_count(const Slice *slice) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < bits_words(slice->code->register_count); w++)
    count += bits_count(slice->registers[w]);
  return count;
}

// Is the value of the store computed from that of the load, by the registers of the code? A
// register may have been written anew between the two; how it is used is followed if it is one of
// few.
static bool store_depends_on_load(const Search *search, const LostUpdate *lost) {
  enum { MOST_REGISTERS = 64 };
  const Graph *graph = &search->graph;
  const Event *read = &graph->events[lost->read], *write = &graph->events[lost->write];
  ArenaMark mark = arena_mark(search->temporary);
  Slice slice = {.code = search->codes[write->thread].thread};
  slice.registers =
      ARENA_ARRAY(search->temporary, uint64_t, bits_words(slice.code->register_count) + 1);
  const Instruction *load = &slice.code->instructions[read->instruction];
  add_register(&slice, &slice.code->instructions[write->instruction].src[0]);
  while (slice.is_grown) {
    slice.is_grown = false;
    follow(&slice);
  }
  bool depends = load->dst != UINT32_MAX && bits_has(slice.registers, load->dst) &&
                 (register_count(&slice) > MOST_REGISTERS ||
                  flows(search, &slice, read->instruction, write->instruction));
  arena_reset(search->temporary, mark);
  return depends;
}

static RecordPlace place_of(const Search *search, uint32_t event) {
  const Event *made = &search->graph.events[event];
  return (RecordPlace){search->program->threads[made->thread].grid, made->instruction};
}

// Where synchronisation puts the rival's write between the two, the thread knows of it when it
// stores: it starts something new.
static bool is_deliberate(const Graph *graph, const LostUpdate *lost) {
  return graph_has(graph, graph->order_after, lost->read, lost->rival) &&
         graph_has(graph, graph->order_after, lost->rival, lost->write);
}

static bool is_certain(const Search *search, const LostUpdate *lost) {
  const Graph *graph = &search->graph;
  return !is_deliberate(graph, lost) && event_is_strong(&graph->events[lost->read]) &&
         event_is_strong(&graph->events[lost->write]) &&
         graph_has(graph, graph->linked, lost->write, lost->rival) &&
         overwrites(graph, lost->write, lost->rival);
}

void kernel_record_losses(Search *search) {
  const Graph *graph = &search->graph;
  LostUpdate lost;
  if (search->guests) // what a C function computes from what it loads is not known
    return;
  for (uint32_t write = 0; write < graph->event_count; write++) {
    if (graph->events[write].kind != EVENT_WRITE || !event_is_strong(&graph->events[write]) ||
        !find_at(search, write, &lost) || !is_certain(search, &lost))
      continue;
    RecordPlace first = place_of(search, write), second = place_of(search, lost.rival);
    if (!search_has_record(search, RECORD_LOST, first, second, 0) &&
        store_depends_on_load(search, &lost))
      search_record(search, RECORD_LOST, first, second, 0);
  }
}

bool kernel_loses_at(const Search *search, const Record *record, LostUpdate *lost) {
  const Graph *graph = &search->graph;
  for (uint32_t write = 0; write < graph->event_count; write++) {
    RecordPlace place = place_of(search, write);
    if (graph->events[write].kind == EVENT_WRITE && place.thread == record->first.thread &&
        place.instruction == record->first.instruction && find_at(search, write, lost) &&
        is_certain(search, lost))
      return true;
  }
  return false;
}
