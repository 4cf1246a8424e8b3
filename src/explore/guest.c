// Threads whose code somebody else runs: each operation becomes an instruction whose operands are
// in registers, and its result is handed back before the next one is asked for.
//
// What a thread has done is kept as a list of steps, of which a backtrack only takes the last ones
// away. Whoever runs the code compares the serial numbers of steps to see how far it is still what
// was run.
//
// A thread stops at a read until it is known what the read returns. If the read has been deferred,
// the thread may run ahead: it does what it was seen to do whatever the read returned, as long as
// that is the same (guest_tree.h). When the read has its source, the function is run with the value
// and must do what its thread has done, or the execution is none.
#include "explore/guest.h"

#include "explore/kernel.h"

enum { MOST_STEPS = 100000 };

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

void guest_init(Search *search, GuestTree *tree) {
  const Program *program = search->program;
  search->tree = tree;
  tree->memory.escape = search->arena->escape;
  search->step_of = ARENA_ARRAY(search->arena, uint32_t, search->graph.capacity);
  search->guests = ARENA_ARRAY(search->arena, GuestThread, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    GuestThread *guest = &search->guests[t];
    guest->node = guest_tree_root(t);
    guest->visits = ARENA_ARRAY(search->arena, uint64_t, program->threads[t].instruction_count + 1);
  }
}

// --- waiting loops

// What a thread has done besides its events: both numbers only grow.
static uint64_t effects(const ThreadState *state) {
  return state->effects + state->exchange;
}

// A moment of a thread: its events and its other effects so far.
static uint64_t moment(const ThreadState *state) {
  return state->po_index | effects(state) << GUEST_EFFECT_SHIFT;
}

// A round in vain that has changed nothing: as in enter_header of machine_loop.c, the execution in
// which the loop is left at once is explored through the other sources of the same reads. The guest
// has promised that the condition depends on nothing but what the round has read.
static bool stays_waiting(Search *search, uint32_t thread, uint64_t begin) {
  ThreadState *state = &search->threads[thread];
  if (effects(state) != begin >> GUEST_EFFECT_SHIFT ||
      !machine_iteration_is_pure(search, thread, guest_moment_position(begin)))
    return false;
  set(search, &state->iteration, guest_moment_position(begin));
  machine_finish_thread(search, thread, THREAD_AWAITING);
  return true;
}

// --- asking

// The operation behind the completed steps. False: there is none that can be explored.
static bool ask(Search *search, uint32_t thread, GuestOperation *operation) {
  const GuestThread *guest = &search->guests[thread];
  ExploreGuest *host = search->options->guest;
  GuestNode *node = &search->tree->nodes[guest->node];
  if (guest->node != GUEST_NOWHERE && node->is_asked) {
    *operation = node->operation;
    return true;
  }
  *operation = (GuestOperation){0}; // a return fills in its kind only, and returns are all alike
  host->next(host->context, thread, guest->steps, (uint32_t)guest->completed, operation);
  if (operation->kind == GUEST_UNSUPPORTED) {
    search->kernel->unsupported = host->unsupported;
    search_halt(search, STOP_UNSUPPORTED);
    return false;
  }
  if (guest->node != GUEST_NOWHERE) {
    node->operation = *operation;
    node->is_asked = true;
  }
  return true;
}

// --- steps

static void wait_for(Search *search, uint32_t thread, uint64_t value) {
  set(search, &search->threads[thread].waits_for, value);
}

void guest_reserve_step(Search *search, GuestThread *guest) {
  uint32_t count = (uint32_t)guest->issued;
  if (count == guest->capacity)
    guest->steps =
        array_grow(search->arena, guest->steps, count, &guest->capacity, sizeof(GuestStep));
  if (count == guest->value_capacity)
    guest->values = array_grow(search->arena, guest->values, count, &guest->value_capacity,
                               sizeof *guest->values);
}

static void add_step(Search *search, uint32_t thread, const GuestOperation *operation) {
  GuestThread *guest = &search->guests[thread];
  uint32_t count = (uint32_t)guest->issued;
  guest_reserve_step(search, guest);
  guest->steps[count].operation = *operation;
  guest->values[count].stored = 0;
  set(search, &guest->issued, count + 1);
}

static bool is_open(const GuestThread *guest) {
  return guest->completed < guest->over;
}

// A row for the results that the reads turned out to have. Those on which nothing was seen to
// depend are no columns.
static void add_row(Search *search, const Value *value, uint64_t stored) {
  ValueTable *table = (ValueTable *)value->table;
  int64_t *row;
  while ((table->row_count + 1) * table->width > table->capacity)
    table->numbers =
        array_grow(search->arena, table->numbers, (uint32_t)table->row_count * table->width,
                   &table->capacity, sizeof *table->numbers);
  row = table->numbers + table->row_count * table->width;
  for (uint32_t i = 0; i < value->flag; i++)
    value_evaluate(&search->values, &search->graph, value->operands[i], &row[i]);
  row[value->flag] = (int64_t)stored;
  set(search, &table->row_count, table->row_count + 1);
}

// The step behind the completed ones, which was begun when less was known.
static bool stores_as_expected(Search *search, const GuestThread *guest,
                               const GuestOperation *operation) {
  GuestOperation *begun = &guest->steps[guest->completed].operation;
  uint64_t stored = guest->values[guest->completed].stored;
  int64_t number;
  if (!stored)
    return guest_is_same_operation(operation, begun);
  if (!guest_is_same_access(search->tree, operation, begun))
    return false;
  *begun = *operation;
  if (value_evaluate(&search->values, &search->graph, (ValueId)stored - 1, &number))
    return (uint64_t)number == operation->operands[GUEST_STORED];
  add_row(search, &search->values.items[stored - 1], operation->operands[GUEST_STORED]);
  return true;
}

// A step that was begun before it was known has to be what the thread does now.
static bool is_confirmed(Search *search, uint32_t thread) {
  const GuestThread *guest = &search->guests[thread];
  GuestOperation operation;
  if (guest->completed == guest->issued)
    return true;
  if (!ask(search, thread, &operation))
    return false;
  if (stores_as_expected(search, guest, &operation))
    return true;
  search->tree->was_wrong = true;
  return false;
}

static uint64_t serial_of(Search *search, uint32_t node) {
  return node != GUEST_NOWHERE ? node : (uint64_t)UINT32_MAX + ++search->options->guest->serial;
}

static bool complete_step(Search *search, uint32_t thread, uint64_t result) {
  GuestThread *guest = &search->guests[thread];
  GuestStep *step = &guest->steps[guest->completed];
  uint32_t node = guest_tree_get(search->tree, (uint32_t)guest->node, result);
  step->result = result;
  step->serial = serial_of(search, node);
  set(search, &guest->completed, guest->completed + 1);
  set(search, &guest->node, node);
  return is_confirmed(search, thread);
}

bool guest_step_is_known(const Search *search, const GuestThread *guest, uint32_t step,
                         uint64_t *result) {
  int64_t number = 0;
  uint64_t value = guest->values[step].result;
  bool is_known =
      !value || value_evaluate(&search->values, &search->graph, (ValueId)value - 1, &number);
  *result = (uint64_t)number;
  return is_known;
}

// Completes the steps whose results have become known. False: inconsistent.
static bool settle(Search *search, uint32_t thread) {
  GuestThread *guest = &search->guests[thread];
  uint64_t result;
  while (is_open(guest) && guest_step_is_known(search, guest, (uint32_t)guest->completed, &result))
    if (!complete_step(search, thread, result))
      return false;
  return true;
}

bool guest_settle_all(Search *search) {
  if (search->tree->pass == 1)
    return true;
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    if (is_open(&search->guests[t]) && !settle(search, t))
      return false;
  return true;
}

// --- for the search

bool guest_may_wake(Search *search, uint32_t thread) {
  int64_t number;
  bool is_known = value_evaluate(&search->values, &search->graph,
                                 (ValueId)search->threads[thread].waits_for - 1, &number);
  search->tree->was_wrong |= !is_known;
  return is_known;
}

// The thread that is blocked by the read need not wait, perhaps.
void guest_note_choice(Search *search, uint32_t read) {
  uint32_t thread = search->graph.events[read].thread;
  ThreadState *state = &search->threads[thread];
  if (search->tree->pass > 1 && bits_has(search->blocked, thread) && state->blocked_by == read) {
    search_unblock(search, read);
    wait_for(search, thread, 0);
  }
}

void guest_note_event(Search *search, uint32_t thread, uint32_t event) {
  search->step_of[event] = (uint32_t)search->guests[thread].issued - 1;
}

// --- operations

// Operations that had a choice are bounded at each place, so that every search ends.
static bool is_visited_too_often(Search *search, uint32_t thread, uint32_t site) {
  GuestThread *guest = &search->guests[thread];
  const Instruction *instruction = &search->codes[thread].thread->instructions[site];
  bool has_choice = (instruction->op == IR_LOAD && instruction->sem != SEM_WEAK) ||
                    instruction->op == IR_ATOM || search->options->explore_races;
  if (guest->issued >= MOST_STEPS)
    return true;
  if (!has_choice)
    return false;
  set(search, &guest->visits[site], guest->visits[site] + 1);
  return guest->visits[site] > search->options->unroll;
}

// `stored` as in StepValues.
static void begin_instruction(Search *search, uint32_t thread, const GuestOperation *operation,
                              uint64_t stored) {
  ThreadState *state = &search->threads[thread];
  set(search, &state->pc, operation->site);
  if (is_visited_too_often(search, thread, operation->site)) {
    machine_finish_thread(search, thread, THREAD_CUT);
    return;
  }
  for (uint32_t i = 0; i < operation->operand_count; i++)
    set(search, &state->registers[GUEST_OPERAND + i],
        values_constant(&search->values, (int64_t)operation->operands[i]));
  if (stored)
    set(search, &state->registers[GUEST_OPERAND + GUEST_STORED], stored - 1);
}

// The step's instruction is over; `value` is its result as in StepValues.
static bool end_step(Search *search, uint32_t thread, uint64_t value) {
  GuestThread *guest = &search->guests[thread];
  guest->values[guest->over].result = value;
  set(search, &guest->over, guest->over + 1);
  return settle(search, thread);
}

static bool begin_operation(Search *search, uint32_t thread, const GuestOperation *operation,
                            uint64_t stored) {
  switch (operation->kind) {
  case GUEST_RETURN:
    return machine_end_thread(search, thread);
  case GUEST_UNSUPPORTED:
    return false;
  case GUEST_NEXT_ROUND:
    if (stays_waiting(search, thread, operation->operands[0]))
      return true;
    // fall through
  case GUEST_ROUND:
    add_step(search, thread, operation);
    return end_step(search, thread,
                    values_constant(&search->values, (int64_t)moment(&search->threads[thread])) +
                        1ull);
  case GUEST_INSTRUCTION:
    add_step(search, thread, operation);
    search->guests[thread].values[search->guests[thread].over].stored = stored;
    begin_instruction(search, thread, operation, stored);
  }
  return true;
}

// Finds the next operation and begins it, or waits. False: inconsistent.
static bool go_on(Search *search, uint32_t thread) {
  const GuestThread *guest = &search->guests[thread];
  GuestOperation operation;
  uint64_t stored = 0;
  if (!settle(search, thread))
    return false;
  if (is_open(guest)) {
    if (!guest_find_independent(search, thread, &operation, &stored)) {
      wait_for(search, thread, guest->values[guest->completed].result);
      return true;
    }
  } else if (!ask(search, thread, &operation)) {
    return false;
  }
  return begin_operation(search, thread, &operation, stored);
}

// Of the operation that is under way.
static uint32_t site_of(const GuestThread *guest) {
  return guest->steps[guest->over].operation.site;
}

// The instruction is over: its result is handed on when it is known.
static bool end_instruction(Search *search, uint32_t thread) {
  const GuestThread *guest = &search->guests[thread];
  uint64_t result = search->threads[thread].registers[GUEST_RESULT];
  int64_t number;
  if (search->codes[thread].thread->instructions[site_of(guest)].dst == UINT32_MAX)
    return end_step(search, thread, 0);
  if (value_evaluate(&search->values, &search->graph, (ValueId)result, &number) ||
      guest_may_leave_open(search, thread, (ValueId)result))
    return end_step(search, thread, result + 1);
  wait_for(search, thread, result + 1);
  return true;
}

bool guest_run_thread(Search *search, uint32_t thread) {
  ThreadState *state = &search->threads[thread];
  const GuestThread *guest = &search->guests[thread];
  const Thread *code = search->codes[thread].thread;
  while (state->status == THREAD_RUNNING && !state->waits_for) {
    bool is_consistent;
    if (state->pc == code->instruction_count)
      return machine_end_thread(search, thread); // at fault
    if (guest->issued == guest->over)
      is_consistent = go_on(search, thread);
    else if (state->pc != site_of(guest))
      is_consistent = end_instruction(search, thread);
    else
      is_consistent = machine_run_instruction(search, thread, &code->instructions[site_of(guest)]);
    if (!is_consistent)
      return false;
  }
  return true;
}
