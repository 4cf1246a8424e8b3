// Executions in which everything has been decided.
#include "explore/contended.h"
#include "explore/kernel_cause.h"
#include "explore/kernel_slots.h"
#include "explore/outcomes.h"
#include "explore/path.h"
#include "explore/pool.h"
#include "explore/search.h"
#include "model/finish.h"

#include <assert.h>

static const RecordPlace no_place = {UINT32_MAX, UINT32_MAX};

// --- records

// Does the current execution come before the record's?
static bool is_before(const Search *search, const Record *record) {
  for (uint32_t i = 0; i < record->choice_count; i++) {
    uint32_t choice = i < search->depth ? search->decisions[i].choice : EVENT_INIT;
    if (i == search->depth || choice != record->choices[i])
      return i == search->depth || path_rank(choice) < path_rank(record->choices[i]);
  }
  return false;
}

bool search_has_record(const Search *search, RecordKind kind, RecordPlace first, RecordPlace second,
                       uint32_t detail) {
  const Record *known = records_find(search->records, kind, first, second, detail);
  // A worker that is alone meets executions in the order of their paths.
  return known && (search->options->jobs == 1 || !is_before(search, known));
}

void search_record(Search *search, RecordKind kind, RecordPlace first, RecordPlace second,
                   uint32_t detail) {
  if (search_has_record(search, kind, first, second, detail))
    return;
  ArenaMark mark = arena_mark(search->temporary);
  uint32_t *choices = ARENA_ARRAY(search->temporary, uint32_t, search->depth + 1);
  for (uint32_t i = 0; i < search->depth; i++)
    choices[i] = search->decisions[i].choice;
  records_add(search->records, (Record){kind, first, second, detail, choices, search->depth});
  arena_reset(search->temporary, mark);
}

// --- values

int64_t search_register(const Search *search, uint32_t thread, uint32_t reg) {
  int64_t number = 0;
  bool is_known = value_evaluate(&search->values, &search->graph,
                                 (ValueId)search->threads[thread].registers[reg], &number);
  assert(is_known);
  (void)is_known;
  return number;
}

int64_t search_event_value(const Search *search, uint32_t event) {
  int64_t number = 0;
  const Graph *graph = &search->graph;
  if (graph->events[event].kind == EVENT_WRITE || (graph->events[event].flags & EVENT_EAGER)) {
    value_evaluate(&search->values, graph, graph->events[event].value, &number);
    return number;
  }
  value_of_read(&search->values, graph, event, &number);
  return number;
}

// --- final states

// A coherence-maximal write of a location behind `after` (EVENT_NONE: the first one).
static uint32_t next_final_write(const Graph *graph, uint32_t location, uint32_t after) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  BITS_EACH(write, writes, graph->words) {
    if (after != EVENT_NONE && write <= after)
      continue;
    const uint64_t *later = graph_row(graph, graph->coherence_after, (uint32_t)write);
    uint64_t any = 0;
    for (uint32_t w = 0; w < graph->words; w++)
      any |= later[w];
    if (!any)
      return (uint32_t)write;
  }
  return EVENT_NONE;
}

// Racing final writes of one value make one state.
static bool has_earlier_equal(const Search *search, uint32_t location, uint32_t write) {
  const Graph *graph = &search->graph;
  int64_t value = search_event_value(search, write);
  uint32_t other = next_final_write(graph, location, EVENT_NONE);
  for (; other != write; other = next_final_write(graph, location, other))
    if (search_event_value(search, other) == value)
      return true;
  return false;
}

static void count_state(Search *search, const int64_t *values) {
  const Condition *condition = search->condition;
  if (condition->filter_root != UINT32_MAX &&
      !condition_holds(condition, condition->filter_root, values))
    return;
  outcomes_add(search->outcomes, values, 1);
  bool holds =
      condition->kind == CONDITION_NONE || condition_holds(condition, condition->root, values);
  search_record(search, holds ? RECORD_SATISFIES : RECORD_VIOLATES, no_place, no_place, 0);
}

// Fills in the columns from `column` on: racing final writes of a location give several states
// (spec B.1: the final value is that of any coherence-maximal write).
static void each_state(Search *search, uint32_t column, int64_t *values,
                       void (*act)(Search *search, const int64_t *values)) {
  const Condition *condition = search->condition;
  if (column == condition->column_count) {
    act(search, values);
    return;
  }
  const Column *observed = &condition->columns[column];
  if (observed->kind == COLUMN_REGISTER) {
    values[column] = search_register(search, observed->thread, observed->index);
    each_state(search, column + 1, values, act);
    return;
  }
  uint32_t location = search->program->objects[observed->index].location;
  uint32_t write = next_final_write(&search->graph, location, EVENT_NONE);
  // Another column of the same location shows the same final write: states are of locations, and
  // front ends make one column for each.
  if (write == EVENT_NONE) {
    values[column] = search->program->objects[location].initial;
    each_state(search, column + 1, values, act);
  }
  for (; write != EVENT_NONE; write = next_final_write(&search->graph, location, write)) {
    if (has_earlier_equal(search, location, write))
      continue;
    values[column] = search_event_value(search, write);
    each_state(search, column + 1, values, act);
  }
}

typedef struct StateQuestion {
  bool wanted, is_found;
} StateQuestion;

static void ask_state(Search *search, const int64_t *values) {
  const Condition *condition = search->condition;
  StateQuestion *question = search->question;
  bool passes = condition->filter_root == UINT32_MAX ||
                condition_holds(condition, condition->filter_root, values);
  if (passes && condition_holds(condition, condition->root, values) == question->wanted)
    question->is_found = true;
}

bool leaf_has_state(Search *search, bool holds) {
  StateQuestion question = {.wanted = holds};
  search->question = &question;
  each_state(search, 0, search->state, ask_state);
  return question.is_found;
}

// --- signatures

static uint64_t name_source(const Search *search, uint64_t source) {
  return source >= EVENT_INIT ? source : search->names[source];
}

static uint64_t hash_event(const Search *search, uint32_t id) {
  const Graph *graph = &search->graph;
  uint64_t later_names = 0;
  if (graph->events[id].kind == EVENT_READ)
    return search_mix(search->names[id] + 3 * name_source(search, graph->source[id]));
  if (graph->events[id].kind != EVENT_WRITE)
    return 0;
  BITS_EACH(later, graph_row(graph, graph->coherence_after, id), graph->words)
  later_names += search->names[later];
  return search_mix(search->names[id] + 5 * later_names);
}

// A hash of reads-from, coherence and barrier instances. Sums, since the numbers of events depend
// on the way of the search.
static uint64_t signature(const Search *search) {
  const Graph *graph = &search->graph;
  uint64_t hash = graph->event_count;
  for (uint32_t i = 0; i < graph->event_count; i++)
    hash += hash_event(search, i);
  for (uint32_t i = 0; i < graph->sync_edge_count; i++)
    hash += search_mix(search->names[graph->sync_edges[i].from] +
                       7 * search->names[graph->sync_edges[i].to]);
  return hash;
}

// --- complete executions

static void record_flags(Search *search) {
  if (!search->judge)
    return;
  for (uint32_t i = 0; i < cat_axiom_count(search->judge->cat); i++)
    if (cat_axiom(search->judge->cat, i)->is_flag && cat_axiom_holds(search->judge->state, i))
      search_record(search, RECORD_FLAG, (RecordPlace){i, 0}, no_place, 0);
}

static void count_execution(Search *search) {
  search->counts.executions++;
  if (outcomes_can_remember(search->outcomes) &&
      !outcomes_remember(search->outcomes, signature(search)))
    search->counts.duplicates++;
  if (search->condition)
    each_state(search, 0, search->state, count_state);
  if (search->kernel) {
    kernel_note_counts(search);
    kernel_record_faults(search);
    kernel_check_final(search);
  }
  if (search->options->properties & EXPLORE_RACE) {
    race_find(search);
    record_flags(search);
    if (search->kernel)
      kernel_record_losses(search);
  }
}

void leaf_complete(Search *search) {
  if (search->visit)
    search->visit(search, search->visit_context, true);
  else
    count_execution(search);
}

// Judges by the text; requires: coherence is complete.
static bool text_allows(Search *search) {
  ArenaMark mark = arena_mark(search->temporary);
  Dependencies dependencies = search_dependencies(search, search->temporary);
  JudgeInput input = {.data = dependencies.data, .control = dependencies.control};
  judge_evaluate(search->judge, &search->graph, &input);
  arena_reset(search->temporary, mark);
  return judge_allows(search->judge);
}

// Takes away what the text forbids a read to read from.
static void exclude_sources(Search *search) {
  Graph *graph = &search->graph;
  BITS_EACH(read, search->open_reads, graph->words) {
    uint64_t *excluded = graph_row(graph, search->excluded, (uint32_t)read);
    BITS_EACH(write, graph_row(graph, graph->writes_at, graph->events[read].location), graph->words)
    if (!judge_may_read(search->judge, (uint32_t)write, (uint32_t)read))
      graph_add_bit(graph, excluded, (uint32_t)write);
    if (!judge_may_read(search->judge, EVENT_INIT, (uint32_t)read))
      graph_add_bit(graph, search->past_initial, (uint32_t)read);
  }
}

bool leaf_text_may_allow(Search *search) {
  ArenaMark mark = arena_mark(search->temporary);
  Dependencies dependencies = search_dependencies(search, search->temporary);
  JudgeInput input = {.data = dependencies.data, .control = dependencies.control};
  bool may_allow = judge_propagate(search->judge, &search->graph, &input, false);
  arena_reset(search->temporary, mark);
  if (may_allow)
    exclude_sources(search);
  return may_allow;
}

static void judge_execution(Search *search) {
  const Graph *graph = &search->graph;
  uint32_t first, second;
  bool is_allowed = true;
  if (search->is_free) {
    leaf_complete(search);
    return;
  }
  switch (search->options->model->kind) {
  case MODEL_KIND_PTX60:
  case MODEL_KIND_PTX:
    if (graph_find_deciding_fences(graph, &first, &second)) {
      enumerate_fence_orders(search);
      return;
    }
    is_allowed = graph_has_fence_order(graph, (FencePair){EVENT_NONE, EVENT_NONE});
    break;
  case MODEL_KIND_CUDA:
  case MODEL_KIND_RC11:
  case MODEL_KIND_C11:
    is_allowed = graph_is_seq_cst(graph);
    break;
  case MODEL_KIND_TSO:
  case MODEL_KIND_SC:
    break;
  case MODEL_KIND_CAT:
    if (search->options->model->has_partial_coherence) {
      enumerate_coherence(search);
      return;
    }
    is_allowed = text_allows(search);
  }
  if (is_allowed)
    leaf_complete(search);
  else
    search->counts.blocked++;
}

// --- executions that do not end

static RecordPlace place_of_thread(const Search *search, uint32_t thread) {
  const ThreadState *state = &search->threads[thread];
  if (search->kernel && state->status != THREAD_AWAITING) {
    // A thread at a CTA barrier has passed the instruction already.
    uint32_t pc = (uint32_t)state->pc - (state->status == THREAD_AT_BARRIER);
    return (RecordPlace){search->program->threads[thread].grid, pc};
  }
  if (state->status == THREAD_AT_BARRIER)
    return (RecordPlace){thread,
                         search->graph.events[search->arrivals[state->arrival].event].instruction};
  const Graph *graph = &search->graph;
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[event].po_index >= state->iteration && graph->events[event].kind == EVENT_READ)
    return (RecordPlace){thread, graph->events[event].instruction};
  return (RecordPlace){thread, (uint32_t)state->pc};
}

static bool is_unfinished(const ThreadState *state) {
  return state->status >= THREAD_AT_BARRIER && state->status <= THREAD_AWAITING;
}

// The statuses that occur, as a set.
static uint32_t find_statuses(const Search *search) {
  uint32_t statuses = 0;
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    statuses |= 1u << search->threads[t].status;
  return statuses;
}

static bool stuck_is_consistent(Search *search) {
  const Graph *graph = &search->graph;
  uint32_t first, second;
  switch (search->options->model->kind) {
  case MODEL_KIND_PTX60:
  case MODEL_KIND_PTX:
    // Where the order of fences matters to coherence some order exists in all cases that differ
    // in racing writes only, which no axiom forbids to stay unordered.
    return graph_find_deciding_fences(graph, &first, &second) ||
           graph_has_fence_order(graph, (FencePair){EVENT_NONE, EVENT_NONE});
  case MODEL_KIND_CUDA:
  case MODEL_KIND_RC11:
  case MODEL_KIND_C11:
    return graph_is_seq_cst(graph);
  case MODEL_KIND_TSO:
  case MODEL_KIND_SC:
    return true;
  case MODEL_KIND_CAT:
    return text_allows(search);
  }
  return true;
}

// Races and faults of an execution that gets stuck are real, too.
static void record_stuck_kernel(Search *search) {
  kernel_note_counts(search);
  kernel_record_faults(search);
  if (search->options->properties & EXPLORE_RACE) {
    race_find(search);
    kernel_record_losses(search);
  }
}

// What the threads are bound to see depends on coherence, which a text may leave open until now.
static bool is_stuck(Search *search) {
  const Model *model = search->options->model;
  if (model->kind == MODEL_KIND_CAT && model->has_partial_coherence)
    return enumerate_coherence_until(search, liveness_is_stuck);
  return liveness_is_stuck(search) && stuck_is_consistent(search);
}

static void visit_stuck(Search *search) {
  search->counts.blocked++;
  if (search->visit || !is_stuck(search))
    return;
  if (search->kernel)
    record_stuck_kernel(search);
  if (!(search->options->properties & EXPLORE_TERMINATION) ||
      (search->kernel && liveness_waits_on_race(search)))
    return;
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    if (is_unfinished(&search->threads[t])) {
      search_record(search, RECORD_STUCK, place_of_thread(search, t), no_place, 0);
      return;
    }
}

static bool all_reads_have_sources(const Search *search) {
  for (uint32_t w = 0; w < search->graph.words; w++)
    if (search->open_reads[w])
      return false;
  return true;
}

// Before more is cut, a kernel's threads are looked at for a livelock (find_livelock in explore.c).
static void note_cut(Search *search) {
  search->counts.cut++;
  if (search->kernel && !search->guests && !search->contended->has_cut && !search->visit)
    search_start_again(search, (Restart){.kind = RESTART_CUT});
}

void leaf_visit(Search *search) {
  uint32_t statuses = find_statuses(search);
  if (statuses & 1u << THREAD_CUT) {
    note_cut(search);
    return;
  }
  if (statuses & 1u << THREAD_AT_TICKET) {
    slots_note_left(search, statuses);
    search->counts.blocked++;
    return;
  }
  // A deferred read that no write came to serve, or arrivals that should have met.
  if (statuses & 1u << THREAD_RUNNING || !all_reads_have_sources(search) ||
      !barrier_leftovers_are_real(search) ||
      (search->kernel && !kernel_updates_are_in_place(search))) {
    search->counts.blocked++;
    return;
  }
  if (slots_are_on(search) && !slots_hold(search))
    return;
  if (statuses & ~(1u << THREAD_FINISHED))
    visit_stuck(search);
  else
    judge_execution(search);
}
