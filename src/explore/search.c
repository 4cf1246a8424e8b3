#include "explore/search.h"

#include "explore/kernel.h"
#include "explore/kernel_retry.h"
#include "explore/kernel_slots.h"
#include "explore/kernel_swap.h"
#include "explore/outcomes.h"
#include "explore/pool.h"
#include "explore/symmetry.h"
#include "explore/work.h"
#include "model/finish.h"

#include <string.h>

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

// --- set-up

void search_arenas_init(SearchArenas *arenas, MemoryEscape *escape, ArenaBudget *budget) {
  arena_init(&arenas->lasting, escape, 0);
  arena_init(&arenas->temporary, escape, 0);
  arena_init(&arenas->judge, escape, 0);
  arenas->lasting.budget = arenas->temporary.budget = arenas->judge.budget = budget;
}

void search_arenas_release(SearchArenas *arenas) {
  arena_release(&arenas->lasting);
  arena_release(&arenas->temporary);
  arena_release(&arenas->judge);
}

static void init_thread(Search *search, uint32_t thread) {
  const Code *code = &search->codes[thread];
  ThreadState *state = &search->threads[thread];
  uint32_t count = code->thread->register_count;
  state->registers = ARENA_ARRAY(search->arena, uint64_t, count + 1);
  for (uint32_t r = 0; r < count; r++)
    state->registers[r] = values_constant(&search->values, code->thread->registers[r].initial);
  state->headers = ARENA_ARRAY(search->arena, HeaderVisit, code->header_count + 1);
  for (uint32_t h = 0; h < code->header_count; h++)
    state->headers[h].registers = ARENA_ARRAY(search->arena, uint64_t, count + 1);
  for (uint32_t h = 0; search->program->is_kernel && h < code->header_count; h++)
    state->headers[h].older = ARENA_ARRAY(search->arena, uint64_t, count + 1);
}

void search_init(Search *search, const Program *program, const Condition *condition,
                 const ExploreOptions *options, const Code *codes, uint32_t capacity, bool is_free,
                 SearchArenas *arenas) {
  Arena *arena = &arenas->lasting;
  *search = (Search){.program = program,
                     .condition = condition,
                     .options = options,
                     .codes = codes,
                     .is_free = is_free,
                     .arena = arena,
                     .temporary = &arenas->temporary};
  trail_init(&search->trail, arena);
  graph_init(&search->graph, program, options->model, is_free, capacity,
             program->is_kernel ? 2 * capacity : 0, options->explore_races, &search->trail, arena,
             &arenas->temporary);
  values_init(&search->values, &search->trail, arena);
  search->threads = ARENA_ARRAY(arena, ThreadState, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++)
    init_thread(search, t);
  search->unfinished = program->thread_count;
  if (program->is_kernel) {
    kernel_init(search);
    polls_init(search);
    swaps_init(search);
    search->decision_of = ARENA_ARRAY(arena, uint32_t, search->graph.capacity);
    search->update_base = ARENA_ARRAY(arena, uint32_t, search->graph.capacity);
  }
  if (!search->kernel)
    deferral_init(search);
  uint32_t words = search->graph.words;
  search->blocked = ARENA_ARRAY(arena, uint64_t, bits_words(program->thread_count));
  search->ended = ARENA_ARRAY(arena, uint64_t, bits_words(program->thread_count));
  search->open_reads = ARENA_ARRAY(arena, uint64_t, words);
  search->deferred = ARENA_ARRAY(arena, uint64_t, words);
  search->past_initial = ARENA_ARRAY(arena, uint64_t, words);
  search->names = ARENA_ARRAY(arena, uint64_t, search->graph.capacity);
  search->scratch = ARENA_ARRAY(arena, uint64_t, words);
  search->state = ARENA_ARRAY(arena, int64_t, condition ? condition->column_count + 1 : 1);
  // So that the first chunk of `temporary` stays when a question is over.
  arena_alloc(&arenas->temporary, 1, 1);
  search->excluded = ARENA_ARRAY(arena, uint64_t, (size_t)search->graph.capacity * words);
}

// --- choosing what to decide next

static uint64_t *excluded_row(const Search *search, uint32_t read) {
  return search->excluded + (size_t)read * search->graph.words;
}

// A kernel's read does not branch on plain writes that race with it, or if it is plain itself: they
// are reported. In C++ it has to: writes are ordered even where they race, and what is left need
// not fit with that.
static bool follows_races(const Search *search) {
  return search->options->explore_races || model_kind_is_language(search->options->model->kind);
}

// Atomic accesses whose scopes do not reach each other: a race, too, but what is read is what
// somebody has written, and what follows from it may be the mistake that the user looks for.
static bool are_both_strong(const Graph *graph, uint32_t read, uint32_t write) {
  return event_is_strong(&graph->events[read]) && event_is_strong(&graph->events[write]);
}

// The writes of a word of a row that a read of a kernel may see.
static uint64_t visible_writes(const Graph *graph, uint32_t read, uint32_t w, uint64_t writes) {
  uint64_t visible = writes & (graph_row(graph, graph->linked, read)[w] |
                               graph_row(graph, graph->order_before, read)[w]);
  for (uint64_t left = writes & ~visible; left; left &= left - 1)
    if (are_both_strong(graph, read, w * 64 + bits_first(left)))
      visible |= left & -left;
  return visible;
}

// Nor may nothing be left at all, where the thread has seen such a write before.
static bool drop_racing(const Graph *graph, uint32_t read, uint64_t *row) {
  uint64_t any = 0, others = 0;
  for (uint32_t w = 0; w < graph->words; w++) {
    any |= visible_writes(graph, read, w, row[w]);
    others |= row[w];
  }
  if (!any && !graph_may_read_initial(graph, read))
    return others != 0;
  for (uint32_t w = 0; w < graph->words; w++)
    row[w] = visible_writes(graph, read, w, row[w]);
  return any != 0;
}

static bool find_sources(const Search *search, uint32_t read, uint64_t *row) {
  const Graph *graph = &search->graph;
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[read].location);
  const uint64_t *excluded = excluded_row(search, read);
  const uint64_t *later = graph_row(graph, graph->time_after, read);
  // Order excludes a source at once, but for a read through another proxy, and for TSO's reads from
  // the own store buffer.
  bool is_free = !graph->rules || graph->has_proxies || graph->kind == MODEL_KIND_TSO;
  for (uint32_t w = 0; w < graph->words; w++)
    row[w] = writes[w] & ~excluded[w] & (is_free ? ~0ull : ~later[w]);
  if (graph->mate[read] != EVENT_NONE)
    bits_remove(row, (uint32_t)graph->mate[read]);
  graph_exclude_sources(graph, read, row);
  if (search->kernel && !follows_races(search))
    return drop_racing(graph, read, row);
  uint64_t any = 0;
  for (uint32_t w = 0; w < graph->words; w++)
    any |= row[w];
  return any != 0;
}

bool search_find_candidates(const Search *search, uint32_t read, uint64_t *row) {
  return find_sources(search, read, row) &&
         (!polls_postpone(search, read, row, NULL) || !bits_is_empty(row, search->graph.words));
}

static bool may_be_initial(const Search *search, uint32_t read) {
  return !bits_has(search->past_initial, read) && graph_may_read_initial(&search->graph, read);
}

// If all that there is for it is postponed, the read is, too.
bool search_is_worth_choosing(const Search *search, uint32_t read, uint64_t *scratch) {
  if (bits_has(search->deferred, read))
    return search_find_candidates(search, read, scratch);
  return !polls_may_postpone(search, read) || may_be_initial(search, read) ||
         !find_sources(search, read, scratch) || !polls_postpone(search, read, scratch, NULL) ||
         !bits_is_empty(scratch, search->graph.words);
}

// A read on which the value of a source of `read` depends, if it can be decided, else `read`: who
// polls is looked at when it is known what there is to see, and whether it is the last word.
static uint32_t find_read_behind(const Search *search, uint32_t read, uint64_t *scratch) {
  const Graph *graph = &search->graph;
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[read].location);
  BITS_EACH(write, writes, graph->words) {
    uint32_t open = value_find_open_read(&search->values, graph, graph->events[write].value);
    if (open != EVENT_NONE && open != read && search_is_worth_choosing(search, open, scratch))
      return open;
  }
  return read;
}

// The read that a thread waits for, unless it has been deferred and nothing new can serve it.
static uint32_t find_awaited_read(const Search *search, uint64_t *scratch) {
  uint32_t fallback = EVENT_NONE, oldest = EVENT_NONE;
  BITS_EACH(thread, search->blocked, bits_words(search->program->thread_count)) {
    uint32_t read = (uint32_t)search->threads[thread].blocked_by;
    if (!search_is_worth_choosing(search, read, scratch))
      continue;
    if (!search->kernel)
      return read;
    // Of a kernel's reads those come first that somebody has written for: a poll that could only
    // fail is decided when nothing else is left. The oldest one first, so that threads go through
    // the phases of a kernel side by side.
    // A thread that polls goes round at once until it is known to wait in vain: what the others do
    // meanwhile need not be explored then.
    bool is_served = search_find_candidates(search, read, scratch);
    if (is_served && polls_are_repeated(search, read))
      return read;
    uint32_t *found = is_served ? &oldest : &fallback;
    if (*found == EVENT_NONE || read < *found)
      *found = read;
  }
  if (oldest == EVENT_NONE)
    return fallback;
  return find_read_behind(search, oldest, scratch);
}

static uint32_t find_open_read(const Search *search, uint64_t *scratch) {
  BITS_EACH(read, search->open_reads, search->graph.words)
  if (search_is_worth_choosing(search, (uint32_t)read, scratch))
    return (uint32_t)read;
  return EVENT_NONE;
}

static Decision *push_decision(Search *search, DecisionKind kind) {
  if (search->depth == search->decision_capacity) {
    uint32_t old = search->decision_capacity;
    search->decisions = array_grow(search->arena, search->decisions, search->depth,
                                   &search->decision_capacity, sizeof(Decision));
    for (uint32_t i = old; i < search->decision_capacity; i++)
      search->decisions[i].candidates =
          ARENA_ARRAY(search->arena, uint64_t, 3 * search->graph.words);
  }
  Decision *decision = &search->decisions[search->depth++];
  uint64_t *candidates = decision->candidates;
  *decision = (Decision){.kind = kind,
                         .mark = trail_mark(&search->trail),
                         .candidates = candidates,
                         .tried = candidates + search->graph.words,
                         .postponed = candidates + 2 * (size_t)search->graph.words};
  return decision;
}

// The decision below the newest one on the source of `read`, + 1.
static uint32_t find_deferral(const Search *search, uint32_t read) {
  for (uint32_t i = search->depth - 1; i-- > 0;)
    if (search->decisions[i].kind == DECISION_SOURCE && search->decisions[i].subject == read)
      return i + 1;
  return 0;
}

// Does the event come after the read whatever that reads? Under sc and tso a write comes after a
// read that does not see it, so that order tells nothing.
static bool comes_after(const Graph *graph, uint32_t read, uint32_t event) {
  bool is_hardware = graph->kind == MODEL_KIND_TSO || graph->kind == MODEL_KIND_SC;
  return !is_hardware && graph_has(graph, graph->order_after, read, event);
}

// Two atomics cannot have one source, so that the counterpart of search_offer_write does not exist
// where the write comes from a compare-and-swap that would read what `read` has taken: its write is
// there only if it comes first. (Other atomics have theirs from the beginning: in the counterpart
// `read` sees that.) So an atomic makes room for a compare-and-swap that does not depend on it.
static bool is_rival(const Search *search, uint32_t read, uint32_t other) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[other];
  const Instruction *instruction =
      &search->codes[event->thread].thread->instructions[event->instruction];
  return event->thread != graph->events[read].thread && instruction->atom == ATOM_CAS &&
         (instruction->op == IR_ATOM || instruction->op == IR_RED) &&
         !comes_after(graph, read, other);
}

// Is a read half of an atomic access, or may it turn out to be one?
static bool may_be_half(const Search *search, uint32_t read) {
  const ThreadState *state = &search->threads[search->graph.events[read].thread];
  return search->graph.mate[read] != EVENT_NONE || state->cas_read == read + 1ull;
}

static bool has_open_rival(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  const uint64_t *reads = graph_row(graph, graph->reads_at, graph->events[read].location);
  if (!may_be_half(search, read))
    return false;
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = reads[w] & search->open_reads[w]; left; left &= left - 1)
      if (is_rival(search, read, w * 64 + bits_first(left)))
        return true;
  return false;
}

// Where others explore parts of the decision, its deferral becomes another part.
static void allow_deferral(Search *search, uint32_t index) {
  Decision *decision = &search->decisions[index];
  if (decision->has_deferred || decision->may_defer)
    return;
  if (index >= search->shared_depth) {
    decision->may_defer = true;
    return;
  }
  decision->has_deferred = true;
  pool_offer_deferral(search->pool, search, index);
}

void search_offer_rival(Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  BITS_EACH(bit, graph_row(graph, graph->reads_at, graph->events[read].location), graph->words) {
    uint32_t other = (uint32_t)bit;
    if (graph->source[other] == EVENT_NONE || !search->decision_of[other] ||
        !may_be_half(search, other) || !is_rival(search, other, read))
      continue;
    allow_deferral(search, search->decision_of[other] - 1);
  }
}

static void push_source(Search *search, uint32_t read) {
  if (search->kernel)
    polls_note(search, read);
  Decision *decision = push_decision(search, DECISION_SOURCE);
  decision->subject = read;
  find_sources(search, read, decision->candidates);
  decision->may_be_initial = may_be_initial(search, read);
  // Whether a kernel's read has to be deferred too is found out when somebody writes (see
  // search_offer_write): addresses are not known before.
  decision->may_defer = !search->kernel && deferral_may_be_served(search, read);
  if (!search->kernel)
    return;
  memset(decision->tried, 0, search->graph.words * sizeof *decision->tried);
  if (bits_has(search->deferred, read))
    decision->deferred_from = find_deferral(search, read);
  search->decision_of[read] = search->depth;
  // What a deferred read waits for need not be what comes first.
  decision->may_defer = bits_has(search->deferred, read) || has_open_rival(search, read);
  if (search->symmetry)
    symmetry_leave_out(search, decision);
  memset(decision->postponed, 0, search->graph.words * sizeof *decision->postponed);
  if (polls_postpone(search, read, decision->candidates, decision->postponed))
    decision->may_defer = true;
}

// Coherence is decided last: the pairs before the latest one have all been ordered.
static uint32_t last_ordered(const Search *search) {
  const Decision *last = search->depth ? &search->decisions[search->depth - 1] : NULL;
  return last && last->kind == DECISION_COHERENCE ? last->subject : EVENT_NONE;
}

static uint32_t find_spurious(const Search *search) {
  uint32_t thread = 0;
  while (search->threads[thread].status != THREAD_AT_SPURIOUS)
    thread++;
  return thread;
}

bool search_push_decision(Search *search) {
  uint64_t *scratch = search->scratch;
  uint32_t read = EVENT_NONE, first, second, arrival;
  if (search->spurious) {
    push_decision(search, DECISION_SPURIOUS)->subject = find_spurious(search);
    return true;
  }
  if (barrier_find_choice(search, &arrival)) {
    push_decision(search, DECISION_INSTANCE)->subject = arrival;
    return true;
  }
  read = find_awaited_read(search, scratch);
  if (read == EVENT_NONE && kernel_count_turns(search)) {
    push_decision(search, DECISION_TURN);
    return true;
  }
  if (read == EVENT_NONE)
    read = find_open_read(search, scratch);
  if (read != EVENT_NONE) {
    push_source(search, search->symmetry ? symmetry_find_ticket(search, read) : read);
    return true;
  }
  uint32_t asked = slots_find_asked(search);
  if (asked != UINT32_MAX) {
    push_decision(search, DECISION_TICKET)->subject = asked;
    return true;
  }
  // Nothing that comes now serves a read that is left.
  if (search->kernel && !bits_is_empty(search->open_reads, search->graph.words))
    return false;
  if (!search->is_free && !search->graph.rules && search->options->model->has_partial_coherence)
    return false; // orders of an interpreted model are enumerated at the leaf
  if (!graph_find_unordered(&search->graph, last_ordered(search), &first, &second))
    return false;
  Decision *decision = push_decision(search, DECISION_COHERENCE);
  decision->subject = first;
  decision->other = second;
  return true;
}

// An execution in which `read` reads `write` has a counterpart in which it reads what it reads now
// and `write`, which does not depend on it, is added later: this one. So deferral is an alternative
// of the decision, which is on the stack still (the reversal of dynamic partial order reduction).
void search_offer_write(Search *search, uint32_t write) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[write];
  BITS_EACH(bit, graph_row(graph, graph->reads_at, event->location), graph->words) {
    uint32_t read = (uint32_t)bit;
    if (graph->events[read].thread == event->thread || (graph->events[read].flags & EVENT_EAGER) ||
        graph->source[read] == EVENT_NONE || comes_after(graph, read, write) ||
        !search->decision_of[read] ||
        !(graph_has(graph, graph->linked, read, write) || are_both_strong(graph, read, write) ||
          follows_races(search)))
      continue;
    if (search->guests)
      guest_expose(search, read, write);
    Decision *decision = &search->decisions[search->decision_of[read] - 1];
    if (decision->has_deferred || decision->may_defer)
      continue;
    if (polls_offer_is_vain(search, read, write))
      decision->has_vain_offer = true;
    else
      allow_deferral(search, search->decision_of[read] - 1);
  }
}

// --- alternatives

// Moves to the next alternative of a source: the initial write, each candidate, deferral.
static bool next_source(const Search *search, Decision *decision) {
  if (decision->next == 0 && decision->may_be_initial) {
    decision->next = 1;
    decision->choice = EVENT_INIT;
    return true;
  }
  uint32_t from = decision->next ? (uint32_t)decision->next - 1 : 0;
  for (uint32_t w = from >> 6; w < search->graph.words; w++) {
    uint64_t left = decision->candidates[w];
    if (w == from >> 6)
      left &= ~0ull << (from & 63);
    if (!left)
      continue;
    decision->choice = w * 64 + bits_first(left);
    decision->next = decision->choice + 2ull;
    return true;
  }
  if (!decision->may_defer)
    return false;
  decision->may_defer = false;
  decision->has_deferred = true;
  decision->next = search->graph.capacity + 1ull;
  decision->choice = CHOICE_DEFER;
  return true;
}

bool search_next_alternative(const Search *search, Decision *decision) {
  uint64_t count = 2;
  if (decision->is_given_away)
    return false;
  if (decision->kind == DECISION_SOURCE)
    return next_source(search, decision);
  if (decision->kind == DECISION_INSTANCE)
    count = barrier_choice_count(search, decision->subject);
  if (decision->kind == DECISION_TURN)
    count = kernel_count_turns(search);
  if (decision->next == count)
    return false;
  decision->choice = (uint32_t)decision->next++;
  return true;
}

// What was postponed may be its source still.
static void defer(Search *search, const Decision *decision) {
  uint32_t read = decision->subject;
  Graph *graph = &search->graph;
  uint64_t *excluded = excluded_row(search, read);
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[read].location);
  for (uint32_t w = 0; w < graph->words; w++)
    set(search, &excluded[w],
        excluded[w] | (writes[w] & ~(search->kernel ? decision->postponed[w] : 0)));
  graph_add_bit(graph, search->deferred, read);
  graph_add_bit(graph, search->past_initial, read);
}

void search_unblock(Search *search, uint32_t read) {
  BITS_EACH(thread, search->blocked, bits_words(search->program->thread_count))
  if (search->threads[thread].blocked_by == read)
    set(search, &search->blocked[thread >> 6],
        search->blocked[thread >> 6] & ~(1ull << (thread & 63)));
}

static bool choose_source(Search *search, uint32_t read, uint32_t source) {
  Graph *graph = &search->graph;
  if (source != EVENT_INIT &&
      value_depends_on(&search->values, graph, graph->events[source].value, read))
    return false;
  set(search, &search->open_reads[read >> 6],
      search->open_reads[read >> 6] & ~(1ull << (read & 63)));
  if (search->guests)
    guest_note_choice(search, read);
  search_unblock(search, read);
  if (search->symmetry)
    symmetry_note_source(search, read);
  swaps_note_source(search, read, source);
  return graph_set_source(graph, read, source);
}

static bool apply_source(Search *search, const Decision *decision) {
  if (decision->choice != CHOICE_DEFER)
    return choose_source(search, decision->subject, decision->choice);
  defer(search, decision);
  if (search->guests)
    guest_note_choice(search, decision->subject);
  return true;
}

// Early, since each read that is decided in vain doubles the work.
bool search_force_fences(Search *search) {
  ModelKind kind = search->options->model->kind;
  if (kind == MODEL_KIND_PTX || kind == MODEL_KIND_PTX60)
    return graph_force_fences(&search->graph);
  // Kernels have few such operations, and many events.
  return search->is_free || search->kernel || !model_kind_is_language(kind) ||
         graph_may_be_seq_cst(&search->graph);
}

// The only write of the row; EVENT_NONE: there are more, or none.
static uint32_t find_single(const uint64_t *row, uint32_t words) {
  uint32_t single = EVENT_NONE;
  for (uint32_t w = 0; w < words; w++) {
    if (!row[w])
      continue;
    if (single != EVENT_NONE || (row[w] & (row[w] - 1)))
      return EVENT_NONE;
    single = w * 64 + bits_first(row[w]);
  }
  return single;
}

bool search_settle_read(Search *search, uint32_t read) {
  uint64_t *row = search->scratch;
  if (search->kernel || !search->graph.rules || graph_may_read_initial(&search->graph, read) ||
      !search_find_candidates(search, read, row))
    return true;
  uint32_t source = find_single(row, search->graph.words);
  return source == EVENT_NONE || deferral_may_be_served(search, read) ||
         choose_source(search, read, source);
}

// What a kernel's threads may still write is not known before.
static bool can_end(const Search *search) {
  return search->kernel || deferral_all_may_be_served(search);
}

// A choice that only puts a read off changes nothing that the text speaks of.
static bool may_go_on(Search *search, const Decision *decision, uint64_t event_count) {
  const Graph *graph = &search->graph;
  bool is_deferral = decision->kind == DECISION_SOURCE && decision->choice == CHOICE_DEFER;
  bool is_unchanged = is_deferral && graph->event_count == event_count;
  return !search->judge || search->is_free || is_unchanged || leaf_text_may_allow(search);
}

bool search_apply_choice(Search *search, uint32_t index) {
  const Decision *decision = &search->decisions[index];
  uint64_t event_count = search->graph.event_count;
  search->counts.steps++;
  switch (decision->kind) {
  case DECISION_SOURCE:
    if (search->symmetry)
      symmetry_sleep(search, decision);
    if (!apply_source(search, decision))
      return false;
    break;
  case DECISION_COHERENCE:
    return decision->choice == 0
               ? graph_add_coherence(&search->graph, decision->subject, decision->other)
               : graph_add_coherence(&search->graph, decision->other, decision->subject);
  case DECISION_SPURIOUS:
    machine_choose_spurious(search, decision->subject, decision->choice);
    break;
  case DECISION_TURN:
    kernel_take_turn(search, decision->choice);
    break;
  case DECISION_TICKET:
    slots_answer(search, decision->subject, decision->choice);
    break;
  case DECISION_INSTANCE:
    if (!barrier_choose(search, decision->subject, decision->choice))
      return false;
    break;
  }
  if (!machine_advance(search) || !can_end(search) || !search_force_fences(search) ||
      !swaps_are_canonical(search))
    return false;
  return may_go_on(search, decision, event_count);
}

// --- the search

// What was tried may stand for what is still to be tried, if it was consistent.
static void note_tried(Search *search, uint32_t index, bool is_consistent) {
  Decision *decision = &search->decisions[index];
  if (!search->kernel || decision->kind != DECISION_SOURCE)
    return;
  if ((decision->has_vain_offer || decision->leaves_out) && !is_consistent)
    allow_deferral(search, index);
  if (!is_consistent || decision->choice == CHOICE_DEFER)
    return;
  if (decision->choice == EVENT_INIT)
    decision->has_tried_initial = true;
  else
    bits_add(decision->tried, decision->choice);
}

bool search_try_alternative(Search *search, uint32_t index) {
  search->decisions[index].has_vain_offer = false;
  bool is_consistent = search_apply_choice(search, index);
  note_tried(search, index, is_consistent);
  return is_consistent;
}

static void pop_decision(Search *search) {
  const Decision *decision = &search->decisions[--search->depth];
  if (!decision->is_fruitful && !decision->is_given_away)
    search->counts.blocked++; // nothing that is left can complete this execution
  if (search->shared_depth > search->depth)
    search->shared_depth = search->depth;
}

// Undoes decisions until one has another alternative that is consistent.
static bool backtrack(Search *search) {
  while (search->depth > search->base_depth && !search->must_stop) {
    uint32_t newest = search->depth - 1;
    graph_undo(&search->graph, search->decisions[newest].mark);
    if (!search_next_alternative(search, &search->decisions[newest])) {
      pop_decision(search);
    } else if (search_try_alternative(search, newest)) {
      search->decisions[newest].is_fruitful = true;
      return true;
    }
  }
  return false;
}

bool search_replay(Search *search, const uint32_t *choices, uint32_t count) {
  symmetry_begin(search);
  if (!machine_advance(search))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!search_push_decision(search))
      return false;
    search->decisions[search->depth - 1].choice = choices[i];
    if (!search_apply_choice(search, search->depth - 1))
      return false;
  }
  return true;
}

void search_halt(Search *search, StopReason reason) {
  search->must_stop = true;
  if (search->pool)
    pool_halt(search->pool, search, reason, (Restart){0});
}

void search_start_again(Search *search, Restart restart) {
  search->must_stop = true;
  if (search->pool)
    pool_halt(search->pool, search, STOP_CONTENDED, restart);
}

// Steps between two looks at what the other workers want: those of kernels are long.
enum { POLL_STEPS = 256, KERNEL_POLL_STEPS = 16 };

static bool is_interrupted(Search *search) {
  if (search->pool && search->counts.steps >= search->next_poll) {
    search->next_poll = search->counts.steps + (search->kernel ? KERNEL_POLL_STEPS : POLL_STEPS);
    pool_poll(search->pool, search);
  }
  if (search->step_limit && search->counts.steps > search->step_limit)
    search->must_stop = true;
  return search->must_stop;
}

void search_begin(Search *search) {
  symmetry_begin(search);
  search->is_begun = machine_advance(search);
  search->start = trail_mark(&search->trail);
}

static void go_back(Search *search) {
  graph_undo(&search->graph, search->start);
  search->depth = search->base_depth = search->shared_depth = 0;
}

bool search_run(Search *search, const Work *work) {
  bool is_open = search->is_begun;
  if (!is_open)
    search->counts.blocked++;
  if (work && work->depth) {
    if (!work_begin(search, work)) {
      go_back(search);
      return search->must_stop;
    }
    is_open = backtrack(search);
  }
  while (is_open && !is_interrupted(search)) {
    if (!search_push_decision(search))
      leaf_visit(search);
    is_open = backtrack(search);
  }
  go_back(search);
  return true;
}
