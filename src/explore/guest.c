// Threads whose code somebody else runs: each operation becomes an instruction whose operands are
// in registers, and its result is handed back before the next one is asked for.
//
// What a thread has done is kept as a list of steps, of which a backtrack only takes the last ones
// away. Whoever runs the code compares the serial numbers of steps to see how far it is still what
// was run.
#include "explore/kernel.h"

struct GuestThread {
  uint64_t issued, completed; // steps; changed through the trail
  uint64_t *visits;           // of each site: operations that had a choice; likewise
  GuestStep *steps;           // appended
  uint32_t capacity;
};

enum { MOST_STEPS = 100000, EFFECT_SHIFT = 32 };

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

void guest_init(Search *search) {
  const Program *program = search->program;
  search->guests = ARENA_ARRAY(search->arena, GuestThread, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    GuestThread *guest = &search->guests[t];
    guest->visits = ARENA_ARRAY(search->arena, uint64_t, program->threads[t].instruction_count + 1);
    guest->steps = array_grow(search->arena, guest->steps, 0, &guest->capacity, sizeof(GuestStep));
  }
}

// --- waiting loops

// What a thread has done besides its events: both numbers only grow.
static uint64_t effects(const ThreadState *state) {
  return state->effects + state->exchange;
}

// A moment of a thread: its events and its other effects so far.
static uint64_t moment(const ThreadState *state) {
  return state->po_index | effects(state) << EFFECT_SHIFT;
}

// A round in vain that has changed nothing: as in enter_header of machine.c, the execution in which
// the loop is left at once is explored through the other sources of the same reads. The guest has
// promised that the condition depends on nothing but what the round has read.
static bool stays_waiting(Search *search, uint32_t thread, uint64_t begin) {
  ThreadState *state = &search->threads[thread];
  uint64_t po_index = begin & ((1ull << EFFECT_SHIFT) - 1);
  if (effects(state) != begin >> EFFECT_SHIFT ||
      !machine_iteration_is_pure(search, thread, po_index))
    return false;
  set(search, &state->iteration, po_index);
  machine_finish_thread(search, thread, THREAD_AWAITING);
  return true;
}

// --- steps

static void add_step(Search *search, uint32_t thread, const GuestOperation *operation) {
  GuestThread *guest = &search->guests[thread];
  uint32_t count = (uint32_t)guest->issued;
  if (count == guest->capacity)
    guest->steps =
        array_grow(search->arena, guest->steps, count, &guest->capacity, sizeof(GuestStep));
  guest->steps[count].operation = *operation;
  set(search, &guest->issued, count + 1);
}

static void complete_step(Search *search, uint32_t thread, uint64_t result) {
  GuestThread *guest = &search->guests[thread];
  GuestStep *step = &guest->steps[guest->completed];
  step->result = result;
  step->serial = ++search->options->guest->serial;
  set(search, &guest->completed, guest->completed + 1);
}

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

static void begin_instruction(Search *search, uint32_t thread, const GuestOperation *operation) {
  ThreadState *state = &search->threads[thread];
  set(search, &state->pc, operation->site);
  if (is_visited_too_often(search, thread, operation->site)) {
    machine_finish_thread(search, thread, THREAD_CUT);
    return;
  }
  for (uint32_t i = 0; i < operation->operand_count; i++)
    set(search, &state->registers[GUEST_OPERAND + i],
        values_constant(&search->values, (int64_t)operation->operands[i]));
}

// Asks for the next operation and begins it. False: inconsistent.
static bool begin_operation(Search *search, uint32_t thread) {
  GuestThread *guest = &search->guests[thread];
  ExploreGuest *host = search->options->guest;
  GuestOperation operation;
  host->next(host->context, thread, guest->steps, (uint32_t)guest->completed, &operation);
  switch (operation.kind) {
  case GUEST_RETURN:
    return machine_end_thread(search, thread);
  case GUEST_UNSUPPORTED:
    search->kernel->unsupported = host->unsupported;
    search_halt(search, STOP_UNSUPPORTED);
    return false;
  case GUEST_NEXT_ROUND:
    if (stays_waiting(search, thread, operation.operands[0]))
      return true;
    // fall through
  case GUEST_ROUND:
    add_step(search, thread, &operation);
    complete_step(search, thread, moment(&search->threads[thread]));
    return true;
  case GUEST_INSTRUCTION:
    add_step(search, thread, &operation);
    begin_instruction(search, thread, &operation);
  }
  return true;
}

// Of the operation that is under way.
static uint32_t site_of(const GuestThread *guest) {
  return guest->steps[guest->completed].operation.site;
}

// The instruction is over: its result is handed on when it is known.
static void end_instruction(Search *search, uint32_t thread) {
  ThreadState *state = &search->threads[thread];
  const GuestThread *guest = &search->guests[thread];
  int64_t number = 0;
  if (search->codes[thread].thread->instructions[site_of(guest)].dst == UINT32_MAX ||
      value_evaluate(&search->values, &search->graph, (ValueId)state->registers[GUEST_RESULT],
                     &number))
    complete_step(search, thread, (uint64_t)number);
  else
    set(search, &state->waits_for, state->registers[GUEST_RESULT] + 1);
}

bool guest_run_thread(Search *search, uint32_t thread) {
  ThreadState *state = &search->threads[thread];
  const GuestThread *guest = &search->guests[thread];
  const Thread *code = search->codes[thread].thread;
  while (state->status == THREAD_RUNNING && !state->waits_for) {
    bool is_consistent = true;
    if (state->pc == code->instruction_count)
      return machine_end_thread(search, thread); // at fault
    if (guest->issued == guest->completed)
      is_consistent = begin_operation(search, thread);
    else if (state->pc != site_of(guest))
      end_instruction(search, thread);
    else
      is_consistent = machine_run_instruction(search, thread, &code->instructions[site_of(guest)]);
    if (!is_consistent)
      return false;
  }
  return true;
}
