#include "explore/kernel_swap.h"

#include "explore/kernel.h"
#include "explore/kernel_slots.h"
#include "explore/symmetry.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

static bool is_on(const Search *search) {
  ModelKind kind = search->options->model->kind;
  return search_merges(search) && (kind == MODEL_KIND_PTX || kind == MODEL_KIND_PTX60) &&
         !search->graph.has_proxies;
}

void swaps_init(Search *search) {
  search->swaps.settled = ARENA_ARRAY(search->arena, uint64_t, search->graph.words);
}

// --- notes

static void grow(Search *search, uint32_t register_count) {
  Swaps *swaps = &search->swaps;
  uint32_t count = (uint32_t)swaps->count;
  if (count == swaps->capacity)
    swaps->items =
        array_grow(search->arena, swaps->items, count, &swaps->capacity, sizeof *swaps->items);
  while (swaps->register_count + register_count > swaps->register_capacity)
    swaps->registers = array_grow(search->arena, swaps->registers, (uint32_t)swaps->register_count,
                                  &swaps->register_capacity, sizeof *swaps->registers);
}

void swaps_note(Search *search, uint32_t thread, uint32_t read, uint64_t pc) {
  Swaps *swaps = &search->swaps;
  uint32_t count = search->codes[thread].thread->register_count;
  if (!is_on(search) || (slots_are_on(search) && slots_has_live_taint(search, thread)))
    return;
  grow(search, count);
  swaps->items[swaps->count] = (AtomicNote){.read = read,
                                            .follows_exchange = search->threads[thread].exchange,
                                            .pc = pc,
                                            .first_register = swaps->register_count};
  for (uint32_t r = 0; r < count; r++)
    swaps->registers[swaps->register_count + r] = search->threads[thread].registers[r];
  set(search, &swaps->count, swaps->count + 1);
  set(search, &swaps->register_count, swaps->register_count + count);
}

void swaps_note_source(Search *search, uint32_t read, uint32_t source) {
  Swaps *swaps = &search->swaps;
  const Graph *graph = &search->graph;
  if (!is_on(search) || source >= EVENT_INIT || graph->mate[read] == EVENT_NONE ||
      graph->mate[source] == EVENT_NONE ||
      graph->events[read].thread >= graph->events[source].thread)
    return;
  uint32_t i = (uint32_t)swaps->pair_count;
  if (i == swaps->pair_capacity)
    swaps->pairs =
        array_grow(search->arena, swaps->pairs, i, &swaps->pair_capacity, sizeof *swaps->pairs);
  swaps->pairs[i] = (AtomicPair){source, read};
  set(search, &swaps->pair_count, i + 1);
}

// --- nobody reads what the first one wrote

static bool has_only_reader(const Graph *graph, uint32_t write, uint32_t read) {
  BITS_EACH(reader, graph_row(graph, graph->readers, write), graph->words)
  if (reader != read)
    return false;
  return true;
}

// Has an event, or something before it, seen a write that comes after `write`?
static bool has_seen_more(const Graph *graph, uint64_t event, uint32_t write) {
  const uint64_t *later = graph_row(graph, graph->coherence_after, write);
  const uint64_t *before = graph_row(graph, graph->order_before, (uint32_t)event);
  const uint64_t *reads = graph_row(graph, graph->reads_at, graph->events[write].location);
  if (bits_has(later, (uint32_t)event) || bits_meet(later, before, graph->words))
    return true;
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t past = before[w] | (w == event >> 6 ? 1ull << (event & 63) : 0);
    for (uint64_t left = past & reads[w]; left; left &= left - 1)
      if (bits_meet(later, graph_row(graph, graph->observed, w * 64 + bits_first(left)),
                    graph->words))
        return true;
  }
  return false;
}

static bool is_past_reading(const Search *search, uint32_t write) {
  const Graph *graph = &search->graph;
  const uint64_t *reads = graph_row(graph, graph->reads_at, graph->events[write].location);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = reads[w] & search->open_reads[w]; left; left &= left - 1)
      if (!has_seen_more(graph, w * 64 + bits_first(left), write))
        return false;
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    if (!bits_has(search->ended, t) &&
        (graph->last_event[t] == EVENT_NONE || !has_seen_more(graph, graph->last_event[t], write)))
      return false;
  return true;
}

// --- the operations commute

// What the atomic whose write half this is would leave behind.
static bool apply(const Search *search, uint32_t write, uint64_t old, uint64_t *fresh) {
  const Value *value = &search->values.items[search->graph.events[write].value];
  int64_t second;
  if (value->kind != VALUE_ATOMIC || !value->flag ||
      !value_evaluate(&search->values, &search->graph, value->second, &second))
    return false;
  *fresh = ir_atom_new_value((AtomOp)value->op, value->alu, value->flag, old, (uint64_t)second,
                             (uint64_t)second);
  return true;
}

static bool find_old(const Search *search, uint32_t read, uint64_t *old) {
  const Graph *graph = &search->graph;
  uint64_t source = graph->source[read];
  int64_t number = graph->locations[graph->events[read].location].initial;
  if (source == EVENT_NONE ||
      (source != EVENT_INIT &&
       !value_evaluate(&search->values, graph, graph->events[source].value, &number)))
    return false;
  *old = (uint64_t)number;
  return true;
}

// --- a thread does the same with another value

enum { MOST_SEGMENTS = 64 };

typedef struct Replica {
  uint64_t *registers;
  uint64_t pc;
} Replica;

static void run_silently(Search *search, uint32_t thread, Replica *replica) {
  ThreadState *state = &search->threads[thread];
  state->registers = replica->registers;
  set(search, &state->pc, replica->pc);
  set(search, &state->status, THREAD_RUNNING);
  set(search, &state->waits_for, 0);
  machine_run_silently(search, thread, false);
  replica->pc = state->waits_for ? UINT64_MAX : state->pc;
}

static bool is_same_value(Search *search, uint64_t a, uint64_t b) {
  int64_t first, second;
  return a == b ||
         (value_evaluate(&search->values, &search->graph, (ValueId)a, &first) &&
          value_evaluate(&search->values, &search->graph, (ValueId)b, &second) && first == second);
}

static bool is_same_state(Search *search, uint32_t thread, const Replica *a, const Replica *b) {
  const Code *code = &search->codes[thread];
  for (uint32_t r = 0; r < code->thread->register_count; r++)
    if (code_is_live(code, (uint32_t)a->pc, r) &&
        !is_same_value(search, a->registers[r], b->registers[r]))
      return false;
  return true;
}

static bool is_same_operand(Search *search, const Operand *operand, const Replica *a,
                            const Replica *b) {
  return operand->kind != OPERAND_REGISTER ||
         is_same_value(search, a->registers[operand->index], b->registers[operand->index]);
}

static bool is_simple(IrOp op) {
  return op == IR_LOAD || op == IR_STORE || op == IR_ATOM || op == IR_RED || op == IR_FENCE ||
         op == IR_FENCE_PROXY;
}

// The event of the thread at a position, EVENT_NONE: there is none.
static uint32_t event_at(const Search *search, uint32_t thread, uint32_t po_index) {
  const Graph *graph = &search->graph;
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[event].po_index == po_index)
    return (uint32_t)event;
  return EVENT_NONE;
}

static ValueId loaded_value(Search *search, uint32_t event, const Instruction *instruction) {
  const Event *read = &search->graph.events[event];
  int64_t number = 0;
  ValueId value = read->flags & EVENT_EAGER
                      ? read->value
                      : values_add(&search->values, (Value){.kind = VALUE_READ, .event = event});
  if (!(instruction->flags & INSTRUCTION_SIGNED) ||
      !value_evaluate(&search->values, &search->graph, value, &number))
    return value;
  return values_constant(&search->values, value_extended(number, instruction->size, true));
}

// Of 16 bytes: not followed.
static bool has_two_results(const Instruction *instruction) {
  return instruction->size > sizeof(uint64_t);
}

// Both replicas do what the thread did: one instruction with an event. False: they cannot.
static bool repeat_event(Search *search, uint32_t thread, Replica *a, Replica *b, uint32_t *next) {
  const Instruction *instruction = &search->codes[thread].thread->instructions[a->pc];
  uint32_t event = event_at(search, thread, *next);
  if (event == EVENT_NONE || search->graph.events[event].instruction != a->pc ||
      !is_simple((IrOp)instruction->op) || has_two_results(instruction) ||
      !is_same_operand(search, &instruction->address, a, b) ||
      !is_same_operand(search, &instruction->src[0], a, b) ||
      !is_same_operand(search, &instruction->src[1], a, b))
    return false;
  ++*next;
  if (search->graph.events[event].kind == EVENT_READ) {
    if (search->graph.mate[event] != EVENT_NONE)
      ++*next;
    if (instruction->dst != UINT32_MAX) {
      ValueId value = loaded_value(search, event, instruction);
      set(search, &a->registers[instruction->dst], value);
      set(search, &b->registers[instruction->dst], value);
    }
  }
  a->pc = ++b->pc;
  return true;
}

static bool run_both(Search *search, uint32_t thread, Replica *a, Replica *b, uint32_t next) {
  for (uint32_t i = 0; i < MOST_SEGMENTS; i++) {
    run_silently(search, thread, a);
    run_silently(search, thread, b);
    if (a->pc != b->pc || a->pc == UINT64_MAX)
      return false;
    if (is_same_state(search, thread, a, b))
      return true;
    if (a->pc == search->codes[thread].thread->instruction_count ||
        !repeat_event(search, thread, a, b, &next))
      return false;
  }
  return false;
}

static const AtomicNote *find_note(const Search *search, uint32_t read) {
  for (uint64_t i = search->swaps.count; i-- > 0;)
    if (search->swaps.items[i].read == read)
      return &search->swaps.items[i];
  return NULL;
}

// Would the thread do the same if the atomic had found `old`?
static bool is_indifferent(Search *search, uint32_t read, uint64_t old) {
  const AtomicNote *note = find_note(search, read);
  uint32_t thread = search->graph.events[read].thread;
  uint32_t count = search->codes[thread].thread->register_count;
  ThreadState *state = &search->threads[thread];
  const Instruction *atomic =
      &search->codes[thread].thread->instructions[search->graph.events[read].instruction];
  if (!note || has_two_results(atomic))
    return false;
  ArenaMark arena = arena_mark(search->temporary);
  TrailMark mark = trail_mark(&search->trail);
  Replica a = {ARENA_ARRAY(search->temporary, uint64_t, count + 1), note->pc};
  Replica b = {ARENA_ARRAY(search->temporary, uint64_t, count + 1), note->pc};
  uint64_t *own = state->registers;
  for (uint32_t r = 0; r < count; r++)
    a.registers[r] = b.registers[r] = search->swaps.registers[note->first_register + r];
  uint32_t dst = atomic->dst;
  if (dst != UINT32_MAX)
    b.registers[dst] = values_constant(&search->values, (int64_t)old);
  bool is_same = run_both(search, thread, &a, &b, search->graph.events[read].po_index + 2);
  graph_undo(&search->graph, mark);
  state->registers = own;
  arena_reset(search->temporary, arena);
  return is_same;
}

// --- the other execution orders no more

static bool has_order(const Graph *graph, uint32_t from, uint32_t to) {
  return graph_has(graph, graph->order_after, from, to);
}

static bool is_before_the_rest(const Search *search, uint32_t event, uint32_t thread) {
  uint64_t last = search->graph.last_event[thread];
  return bits_has(search->ended, thread) || event == last ||
         has_order(&search->graph, event, (uint32_t)last);
}

// What B releases comes before what A acquires.
static bool releases_no_more(const Search *search, uint32_t first, uint32_t second_write) {
  const Graph *graph = &search->graph;
  BITS_EACH(head, graph_row(graph, graph->heads, second_write), graph->words) {
    if (!is_before_the_rest(search, (uint32_t)head, graph->events[first].thread))
      return false;
    BITS_EACH(last, graph_row(graph, graph->lasts, first), graph->words)
    if (graph_has(graph, graph->linked, (uint32_t)head, (uint32_t)last) &&
        !has_order(graph, (uint32_t)head, (uint32_t)last))
      return false;
  }
  return true;
}

// The SC fences before B come before all those behind A, also before those still to come.
static bool keeps_fences(const Search *search, uint32_t first, uint32_t second) {
  const Graph *graph = &search->graph;
  const uint64_t *after = graph_row(graph, graph->order_after, first);
  const uint64_t *before = graph_row(graph, graph->order_before, second);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = before[w] & graph->sc_events[w]; left; left &= left - 1) {
      uint32_t fence = w * 64 + bits_first(left);
      BITS_EACH(later, after, graph->words)
      if (bits_has(graph->sc_events, (uint32_t)later) && later != fence &&
          !has_order(graph, fence, (uint32_t)later))
        return false;
      for (uint32_t t = 0; t < search->program->thread_count; t++)
        if (!is_before_the_rest(search, fence, t))
          return false;
    }
  return true;
}

static bool are_alone(const Graph *graph, uint32_t a, uint32_t b) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[a].location);
  BITS_EACH(write, writes, graph->words)
  if ((write != a && !graph_has(graph, graph->linked, a, (uint32_t)write)) ||
      (write != b && !graph_has(graph, graph->linked, b, (uint32_t)write)))
    return false;
  return true;
}

static bool is_past_closed(const Search *search, uint32_t event) {
  return !bits_meet(graph_row(&search->graph, search->graph.order_before, event),
                    search->open_reads, search->graph.words);
}

// A lane that comes to a collective, or leaves, lets those of its warp go on, without an order:
// what B's thread does then depends on what A's has done.
static bool may_wait_in_warp(const Search *search, const AtomicPair *pair) {
  const Graph *graph = &search->graph;
  const Thread *threads = search->program->threads;
  const AtomicNote *note = find_note(search, pair->read);
  return threads[graph->events[pair->write].thread].warp ==
             threads[graph->events[pair->read].thread].warp &&
         (!note || note->follows_exchange);
}

// Where members may still have twins, those take the first place (symmetry.h).
static bool is_left_to_twins(const Search *search, const AtomicPair *pair) {
  const Graph *graph = &search->graph;
  return search->symmetry &&
         (!bits_has(search->symmetry->late, (uint32_t)graph->mate[pair->write]) ||
          !bits_has(search->symmetry->late, pair->read));
}

static bool may_be_exchanged(Search *search, const AtomicPair *pair) {
  const Graph *graph = &search->graph;
  uint32_t first = (uint32_t)graph->mate[pair->write], second = pair->read;
  uint32_t a = pair->write, b = (uint32_t)graph->mate[second];
  uint64_t old, via_b, via_a, both, other;
  if (may_wait_in_warp(search, pair) || !are_alone(graph, a, b) || !is_past_closed(search, first) ||
      !is_past_closed(search, second) || has_order(graph, first, second) ||
      has_order(graph, first, b) || has_order(graph, a, b) || has_order(graph, a, second) ||
      !releases_no_more(search, first, b) || !keeps_fences(search, a, second))
    return false;
  return find_old(search, first, &old) && apply(search, a, old, &via_a) &&
         apply(search, b, old, &via_b) && apply(search, b, via_a, &both) &&
         apply(search, a, via_b, &other) && both == other && is_indifferent(search, first, via_b) &&
         is_indifferent(search, second, old);
}

bool swaps_are_canonical(Search *search) {
  const Swaps *swaps = &search->swaps;
  for (uint64_t i = 0; i < swaps->pair_count; i++) {
    const AtomicPair *pair = &swaps->pairs[i];
    if (bits_has(swaps->settled, pair->read))
      continue;
    bool is_read = !has_only_reader(&search->graph, pair->write, pair->read);
    if (!is_read && !is_past_reading(search, pair->write))
      continue;
    graph_add_bit(&search->graph, swaps->settled, pair->read);
    if (!is_read && !is_left_to_twins(search, pair) && may_be_exchanged(search, pair))
      return false;
  }
  return true;
}
