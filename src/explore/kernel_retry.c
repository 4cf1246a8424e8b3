#include "explore/kernel_retry.h"

#include "explore/kernel.h"
#include "explore/kernel_slots.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

void polls_init(Search *search) {
  uint32_t most = 0;
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    if (search->codes[t].thread->register_count > most)
      most = search->codes[t].thread->register_count;
  search->polls.newest = ARENA_ARRAY(search->arena, uint64_t, search->program->thread_count + 1);
  search->polls.scratch = ARENA_ARRAY(search->arena, uint64_t, most + 1);
}

// --- notes

// Is the load a compare-and-swap, which has no write if it fails?
static bool is_cas(const Search *search, uint32_t read) {
  const Event *event = &search->graph.events[read];
  return search->codes[event->thread].thread->instructions[event->instruction].atom == ATOM_CAS;
}

static void grow(Search *search, uint32_t register_count) {
  Polls *polls = &search->polls;
  uint32_t count = (uint32_t)polls->count;
  if (count == polls->capacity)
    polls->items = array_grow(search->arena, polls->items, count, &polls->capacity, sizeof(Poll));
  while (polls->register_count + register_count > polls->register_capacity)
    polls->registers = array_grow(search->arena, polls->registers, (uint32_t)polls->register_count,
                                  &polls->register_capacity, sizeof *polls->registers);
}

// Has the thread passed on what it reads already, before it is known? Then its registers do not
// tell what another source would change. (What an atomic itself writes is known where it counts.)
static bool is_stored(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  const uint64_t *own = graph_row(graph, graph->thread_events, graph->events[read].thread);
  BITS_EACH(event, own, graph->words)
  if (graph->events[event].kind == EVENT_WRITE && graph->mate[event] != read &&
      value_depends_on(&search->values, graph, graph->events[event].value, read))
    return true;
  return false;
}

void polls_note(Search *search, uint32_t read) {
  Polls *polls = &search->polls;
  uint32_t thread = search->graph.events[read].thread;
  const ThreadState *state = &search->threads[thread];
  uint32_t count = search->codes[thread].thread->register_count;
  uint64_t newest = polls->newest[thread];
  if (!search_merges(search) || state->status != THREAD_RUNNING || !state->waits_for ||
      state->blocked_by != read || (search->graph.events[read].flags & EVENT_EAGER) ||
      (is_cas(search, read) && state->cas_read != read + 1ull) ||
      (newest && polls->items[newest - 1].read == read) || is_stored(search, read) ||
      (slots_are_on(search) && slots_has_live_taint(search, thread)))
    return;
  grow(search, count);
  polls->items[polls->count] = (Poll){.read = read,
                                      .older = (uint32_t)newest,
                                      .pc = state->pc,
                                      .effects = state->effects,
                                      .exchange = state->exchange,
                                      .first_register = polls->register_count,
                                      .known_count = search->values.known->count,
                                      .is_cas = is_cas(search, read),
                                      .expected = (ValueId)state->cas_expected};
  for (uint32_t r = 0; r < count; r++)
    polls->registers[polls->register_count + r] = state->registers[r];
  set(search, &polls->count, polls->count + 1);
  set(search, &polls->register_count, polls->register_count + count);
  set(search, &polls->newest[thread], polls->count);
}

// --- trying a source

// What a thread is at its next event.
typedef struct Landing {
  bool is_known, has_gone_back;
  uint64_t pc;
  uint32_t count;
  const uint64_t *registers; // number + 0, or the value's id where it is not known
  const bool *are_numbers;
} Landing;

static void copy_result(Search *search, uint32_t thread, Landing *result) {
  const Code *code = &search->codes[thread];
  uint32_t count = code->thread->register_count;
  uint64_t *registers = ARENA_ARRAY(search->temporary, uint64_t, count + 1);
  bool *are_numbers = ARENA_ARRAY(search->temporary, bool, count + 1);
  const ThreadState *state = &search->threads[thread];
  for (uint32_t r = 0; r < count; r++) {
    int64_t number;
    if (!code_is_live(code, (uint32_t)state->pc, r))
      continue;
    are_numbers[r] =
        value_evaluate(&search->values, &search->graph, (ValueId)state->registers[r], &number);
    registers[r] = are_numbers[r] ? (uint64_t)number : state->registers[r];
  }
  result->count = count;
  result->registers = registers;
  result->are_numbers = are_numbers;
}

// With the source that it has, would the compare-and-swap fail?
static bool fails(Search *search, const Poll *poll) {
  int64_t found, expected;
  const Event *event = &search->graph.events[poll->read];
  uint32_t size = search->graph.locations[event->location].size;
  return size <= sizeof found &&
         value_of_read(&search->values, &search->graph, poll->read, &found) &&
         value_evaluate(&search->values, &search->graph, poll->expected, &expected) &&
         value_extended(found, size, false) != value_extended(expected, size, false);
}

// The thread's state is the poll's meanwhile, and `read` has the source.
static Landing run_from(Search *search, const Poll *poll, uint32_t thread, uint32_t source) {
  ThreadState *state = &search->threads[thread];
  Landing result = {0};
  set(search, &search->graph.source[poll->read], source);
  set(search, &search->values.known->count, poll->known_count);
  set(search, &state->pc, poll->pc);
  set(search, &state->status, THREAD_RUNNING);
  set(search, &state->waits_for, 0);
  if (poll->is_cas && !fails(search, poll))
    return result;
  set(search, &state->pc, poll->pc + poll->is_cas);
  result.has_gone_back = machine_run_silently(search, thread, true);
  result.pc = state->pc;
  result.is_known = !state->waits_for;
  if (result.is_known)
    copy_result(search, thread, &result);
  return result;
}

static Landing try_source(Search *search, const Poll *poll, uint32_t source) {
  Polls *polls = &search->polls;
  uint32_t thread = search->graph.events[poll->read].thread;
  ThreadState *state = &search->threads[thread];
  uint64_t *own = state->registers, *scratch = polls->scratch;
  for (uint32_t r = 0; r < search->codes[thread].thread->register_count; r++)
    scratch[r] = polls->registers[poll->first_register + r];
  TrailMark mark = trail_mark(&search->trail);
  state->registers = scratch;
  Landing result = run_from(search, poll, thread, source);
  uint64_t known = search->values.known->count;
  graph_undo(&search->graph, mark);
  state->registers = own;
  values_forget(&search->values, poll->known_count, known);
  return result;
}

static bool is_same_result(const Landing *a, const Landing *b, bool may_go_back) {
  if (!a->is_known || !b->is_known || a->pc != b->pc ||
      (!may_go_back && (a->has_gone_back || b->has_gone_back)))
    return false;
  for (uint32_t r = 0; r < a->count; r++)
    if (a->are_numbers[r] != b->are_numbers[r] || a->registers[r] != b->registers[r])
      return false;
  return true;
}

// Is what a source holds made of what the read has read? Then the read cannot see it.
static bool comes_of(const Search *search, uint32_t source, uint32_t read) {
  const Graph *graph = &search->graph;
  return source != EVENT_INIT &&
         value_depends_on(&search->values, graph, graph->events[source].value, read);
}

// A thread that goes back to where it came from, having seen the same, may do so for ever.
static bool leads_to_the_same(Search *search, const Poll *first, uint32_t first_source,
                              const Poll *second, uint32_t second_source, bool may_go_back) {
  if (comes_of(search, first_source, first->read) || comes_of(search, second_source, second->read))
    return false;
  ArenaMark mark = arena_mark(search->temporary);
  Landing a = try_source(search, first, first_source);
  Landing b = try_source(search, second, second_source);
  bool is_same = is_same_result(&a, &b, may_go_back);
  arena_reset(search->temporary, mark);
  return is_same;
}

// --- dropped polls

static const Instruction *instruction_of(const Search *search, uint32_t event) {
  const Event *made = &search->graph.events[event];
  return &search->codes[made->thread].thread->instructions[made->instruction];
}

// A compare-and-swap that fails is as good as the load before it.
static bool is_failure_after_load(const Search *search, uint32_t a, uint32_t b) {
  const Event *first = &search->graph.events[a], *second = &search->graph.events[b];
  return is_cas(search, b) && !is_cas(search, a) && search->graph.mate[a] == EVENT_NONE &&
         first->location == second->location && first->sem <= second->sem &&
         first->scope == second->scope && first->proxy == second->proxy &&
         first->flags == second->flags;
}

static bool is_same_access(const Search *search, uint32_t a, uint32_t b) {
  const Event *first = &search->graph.events[a], *second = &search->graph.events[b];
  Span here = instruction_of(search, a)->span, there = instruction_of(search, b)->span;
  return first->location == second->location && first->sem == second->sem &&
         first->scope == second->scope && first->proxy == second->proxy &&
         first->flags == second->flags &&
         (first->instruction == second->instruction ||
          (here.source == there.source && here.begin == there.begin && here.end == there.end));
}

static bool is_silent(const Search *search, uint32_t event) {
  EventKind kind = search->graph.events[event].kind;
  return kind == EVENT_FENCE || kind == EVENT_READ ||
         (kind == EVENT_WRITE && machine_writes_back(search, event));
}

// Has the thread done nothing between the two that anybody can notice? (How often it looked at a
// clock is of no interest as long as no register holds what that showed.)
static bool is_silent_between(const Search *search, const Poll *earlier, const Poll *later) {
  const Graph *graph = &search->graph;
  uint32_t thread = graph->events[later->read].thread;
  uint32_t from = graph->events[earlier->read].po_index, to = graph->events[later->read].po_index;
  if (earlier->effects != later->effects || earlier->exchange != later->exchange)
    return false;
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words) {
    uint32_t position = graph->events[event].po_index;
    if (position > from && position < to && !is_silent(search, (uint32_t)event))
      return false;
  }
  return true;
}

enum { MOST_EARLIER = 4 }; // loads that are tried

static bool is_dropped(Search *search, const Poll *poll, uint32_t source) {
  uint32_t next = poll->older;
  for (uint32_t i = 0; i < MOST_EARLIER && next; i++) {
    const Poll *earlier = &search->polls.items[next - 1];
    next = earlier->older;
    if (!is_silent_between(search, earlier, poll))
      return false;
    if ((is_same_access(search, earlier->read, poll->read) ||
         is_failure_after_load(search, earlier->read, poll->read)) &&
        leads_to_the_same(search, earlier, source, poll, source,
                          search->graph.source[earlier->read] != source))
      return true;
  }
  return false;
}

// --- late sources

// Can nothing that is still to be decided order more before the load?
static bool is_past_closed(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  const uint64_t *before = graph_row(graph, graph->order_before, read);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = before[w] & search->open_reads[w]; left; left &= left - 1)
      if (!bits_is_empty(graph_row(graph, graph->lasts, w * 64 + bits_first(left)), graph->words))
        return false;
  return true;
}

// The writes that a load observes which reads from `source`: the atomics that led to it, too.
static bool observes(const Graph *graph, uint32_t source, uint32_t write) {
  return source == write ||
         (graph->mate[source] != EVENT_NONE &&
          graph_has(graph, graph->observed, (uint32_t)graph->mate[source], write));
}

static bool has_heads(const Graph *graph, uint32_t write) {
  return !bits_is_empty(graph_row(graph, graph->heads, write), graph->words);
}

// Stores of one thread: the later one passes on what the earlier one does.
static bool is_later_store(const Graph *graph, uint32_t earlier, uint32_t later) {
  return graph_is_po(graph, earlier, later) && event_is_strong(&graph->events[earlier]) &&
         graph->mate[earlier] == EVENT_NONE;
}

// Are all SC fences in the past of the load ordered before the write?
static bool has_fences_before(const Graph *graph, uint32_t read, uint32_t write) {
  const uint64_t *past = graph_row(graph, graph->order_before, read);
  const uint64_t *before = graph_row(graph, graph->order_before, write);
  for (uint32_t w = 0; w < graph->words; w++)
    if (past[w] & graph->sc_events[w] & ~before[w])
      return false;
  return true;
}

// The writes behind `earlier` up to `later`, which follow on each other as atomics do.
static bool skips_only_later(const Graph *graph, uint32_t read, uint32_t earlier, uint32_t later) {
  const uint64_t *past = graph_row(graph, graph->order_before, read);
  if (!bits_meet(past, graph->sc_events, graph->words))
    return true;
  if (earlier == EVENT_INIT || !observes(graph, later, earlier))
    return false;
  BITS_EACH(write, graph_row(graph, graph->coherence_after, earlier), graph->words)
  if ((write == later || graph_has(graph, graph->coherence_after, (uint32_t)write, later)) &&
      !has_fences_before(graph, read, (uint32_t)write))
    return false;
  return true;
}

static bool is_up_to(const Graph *graph, uint32_t write, uint32_t newest) {
  return newest != EVENT_INIT &&
         (write == newest || graph_has(graph, graph->coherence_after, write, newest));
}

static bool is_linked(const Graph *graph, uint32_t a, uint32_t b) {
  return graph_has(graph, graph->linked, a, b);
}

// Is the write, or the initial one, known to be no older than any that is causally before the read?
static bool is_newest_before(const Graph *graph, uint32_t read, uint32_t write) {
  const uint64_t *past = graph_row(graph, graph->order_before, read);
  uint32_t location = graph->events[read].location;
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t reads = past[w] & graph_row(graph, graph->reads_at, location)[w];
    uint64_t writes = past[w] & graph_row(graph, graph->writes_at, location)[w];
    for (; writes; writes &= writes - 1)
      if (!is_up_to(graph, w * 64 + bits_first(writes), write))
        return false;
    for (; reads; reads &= reads - 1)
      BITS_EACH(seen, graph_row(graph, graph->observed, w * 64 + bits_first(reads)), graph->words)
    if (!is_up_to(graph, (uint32_t)seen, write))
      return false;
  }
  return true;
}

// Does a load that sees `later` synchronise with all that it would if it saw `earlier`?
static bool passes_on(const Graph *graph, uint32_t earlier, uint32_t later) {
  if (observes(graph, later, earlier))
    return true;
  if (has_heads(graph, earlier) && !is_later_store(graph, earlier, later))
    return false;
  if (graph->mate[earlier] == EVENT_NONE)
    return true;
  const uint64_t *seen = graph_row(graph, graph->observed, (uint32_t)graph->mate[earlier]);
  BITS_EACH(write, seen, graph->words)
  if (has_heads(graph, (uint32_t)write) && !observes(graph, later, (uint32_t)write))
    return false;
  return true;
}

static bool is_weaker(const Search *search, uint32_t read, uint32_t earlier, uint32_t later) {
  const Graph *graph = &search->graph;
  if (!is_linked(graph, later, read) || !skips_only_later(graph, read, earlier, later) ||
      !is_newest_before(graph, read, earlier))
    return false;
  return earlier == EVENT_INIT || (is_linked(graph, earlier, read) &&
                                   graph_has(graph, graph->coherence_after, earlier, later) &&
                                   passes_on(graph, earlier, later));
}

static bool is_ptx(const Search *search) {
  ModelKind kind = search->options->model->kind;
  return (kind == MODEL_KIND_PTX || kind == MODEL_KIND_PTX60) && !search->graph.has_proxies;
}

static bool is_late(Search *search, const Poll *poll, uint32_t decision, uint32_t source) {
  for (; decision; decision = search->decisions[decision - 1].deferred_from) {
    const Decision *made = &search->decisions[decision - 1];
    if (made->has_tried_initial && source != EVENT_INIT &&
        is_weaker(search, poll->read, EVENT_INIT, source) &&
        leads_to_the_same(search, poll, EVENT_INIT, poll, source, false))
      return true;
    BITS_EACH(tried, made->tried, search->graph.words)
    if (tried != source && is_weaker(search, poll->read, (uint32_t)tried, source) &&
        leads_to_the_same(search, poll, (uint32_t)tried, poll, source, false))
      return true;
  }
  return false;
}

// --- for the search

static const Poll *find_poll(const Search *search, uint32_t read) {
  uint64_t newest = search->polls.newest[search->graph.events[read].thread];
  for (; newest; newest = search->polls.items[newest - 1].older)
    if (search->polls.items[newest - 1].read == read)
      return &search->polls.items[newest - 1];
  return NULL;
}

bool polls_are_repeated(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  uint32_t thread = graph->events[read].thread;
  const ThreadState *state = &search->threads[thread];
  uint64_t newest = search_merges(search) ? search->polls.newest[thread] : 0;
  if (!newest)
    return false;
  const Poll *earlier = &search->polls.items[newest - 1];
  Poll later = {.read = read, .effects = state->effects, .exchange = state->exchange};
  return earlier->read != read && graph->source[earlier->read] != EVENT_NONE &&
         graph->events[earlier->read].location == graph->events[read].location &&
         is_silent_between(search, earlier, &later);
}

bool polls_are_worth_it(Search *search, uint32_t thread) {
  uint64_t newest = search_merges(search) ? search->polls.newest[thread] : 0;
  if (!newest)
    return true;
  const Poll *poll = &search->polls.items[newest - 1];
  uint64_t source = search->graph.source[poll->read];
  if (source == EVENT_NONE || search->threads[thread].pc != poll->pc ||
      !search->decision_of[poll->read])
    return true;
  if (is_dropped(search, poll, (uint32_t)source))
    return false;
  return poll->is_cas || search->graph.mate[poll->read] != EVENT_NONE || !is_ptx(search) ||
         source == EVENT_INIT || !is_past_closed(search, poll->read) ||
         !is_late(search, poll, search->decision_of[poll->read], (uint32_t)source);
}

bool polls_offer_is_vain(Search *search, uint32_t read, uint32_t write) {
  const Poll *poll = search_merges(search) && is_ptx(search) ? find_poll(search, read) : NULL;
  return poll && !poll->is_cas && search->graph.mate[read] == EVENT_NONE &&
         is_past_closed(search, read) && is_late(search, poll, search->decision_of[read], write);
}

// --- exchanges

static bool is_exchange(const Search *search, uint32_t write) {
  const Value *value = &search->values.items[search->graph.events[write].value];
  return value->kind == VALUE_ATOMIC && value->op == ATOM_EXCH;
}

// Does whoever comes second change nothing, if both are exchanges?
static bool leave_the_same(const Search *search, uint32_t a, uint32_t b) {
  const Event *events = search->graph.events;
  int64_t first, second;
  return value_is_left(&search->values, &search->graph, events[a].value, &first) &&
         value_is_left(&search->values, &search->graph, events[b].value, &second) &&
         first == second;
}

static bool is_open_exchange(const Search *search, uint32_t write) {
  const Graph *graph = &search->graph;
  int64_t number;
  return graph->mate[write] != EVENT_NONE && is_exchange(search, write) &&
         !value_evaluate(&search->values, graph, graph->events[write].value, &number);
}

bool polls_may_postpone(const Search *search, uint32_t read) {
  uint64_t own = search->graph.mate[read];
  return search_merges(search) && own != EVENT_NONE && is_exchange(search, (uint32_t)own);
}

bool polls_postpone(const Search *search, uint32_t read, uint64_t *sources, uint64_t *postponed) {
  const Graph *graph = &search->graph;
  const ThreadState *state = &search->threads[graph->events[read].thread];
  bool is_awaited = state->waits_for && state->blocked_by == read, has_postponed = false;
  uint32_t own = (uint32_t)graph->mate[read];
  if (!polls_may_postpone(search, read))
    return false;
  BITS_EACH(write, sources, graph->words) {
    if (!is_open_exchange(search, (uint32_t)write) ||
        (is_awaited && !leave_the_same(search, own, (uint32_t)write)))
      continue;
    bits_remove(sources, (uint32_t)write);
    if (postponed)
      bits_add(postponed, (uint32_t)write);
    has_postponed = true;
  }
  return has_postponed;
}
