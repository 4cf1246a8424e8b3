// Runs threads: instructions become events, registers become values.
#include "explore/kernel.h"
#include "explore/kernel_retry.h"
#include "explore/kernel_slots.h"
#include "explore/pool.h"
#include "explore/symmetry.h"

static ThreadState *state_of(Search *search, uint32_t thread) {
  return &search->threads[thread];
}

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

bool search_add_event(Search *search, Event event, uint32_t *id) {
  Graph *graph = &search->graph;
  if (graph->event_count == graph->capacity) {
    search_halt(search, STOP_CAPACITY);
    return false;
  }
  ThreadState *state = state_of(search, event.thread);
  *id = (uint32_t)graph->event_count;
  event.po_index = (uint32_t)state->po_index;
  event.instruction = (uint32_t)state->pc;
  search->names[*id] = search_mix((uint64_t)event.thread << 32 | event.po_index);
  set(search, &state->po_index, state->po_index + 1);
  if (search->symmetry)
    search->symmetry->event_taints[*id] = TAINT_NONE;
  if (search->slots)
    search->slots->event_taints[*id] = 0;
  if (event.kind == EVENT_READ && !(event.flags & EVENT_EAGER)) {
    graph_add_bit(graph, search->open_reads, *id);
    set(search, &state->choices, state->choices + 1);
  }
  if (search->guests)
    guest_note_event(search, event.thread, *id);
  if (!graph_add_event(graph, event))
    return false;
  if (search->kernel && event.kind == EVENT_WRITE)
    search_offer_write(search, *id);
  if (search->kernel && !kernel_keeps_updates_apart(search, &event))
    return false;
  return !search->kernel || !event_is_memory(&event) || kernel_note_access(search, *id);
}

// A compare-and-swap that fails is no atomic access: whether it was shows when its write comes.
bool search_add_atomic_read(Search *search, const Instruction *instruction, Event event,
                            uint32_t *id) {
  if (instruction->op == IR_RED)
    event.flags |= EVENT_NORET;
  if (instruction->atom != ATOM_CAS)
    event.flags |= EVENT_ATOMIC;
  if (!search_add_event(search, event, id))
    return false;
  if (search->kernel && instruction->atom == ATOM_CAS)
    search_offer_rival(search, *id);
  return true;
}

bool search_add_atomic_write(Search *search, uint32_t read, Event event, ValueId value) {
  uint32_t write;
  event.flags |= EVENT_ATOMIC;
  event.value = value;
  return search_add_event(search, event, &write) && graph_join_atomic(&search->graph, read, write);
}

// --- operands

static ValueId operand_value(Search *search, uint32_t thread, const Operand *operand) {
  if (search->kernel)
    return kernel_value(search, thread, operand);
  switch (operand->kind) {
  case OPERAND_REGISTER:
    return (ValueId)state_of(search, thread)->registers[operand->index];
  case OPERAND_ADDRESS:
    return values_constant(&search->values, search->program->objects[operand->index].address);
  case OPERAND_CONSTANT:
  case OPERAND_NONE:
    break;
  }
  return values_constant(&search->values, operand->constant);
}

// The number of an operand; if it is not known yet the thread waits for it and this is false.
static bool operand_number(Search *search, uint32_t thread, const Operand *operand,
                           int64_t *number) {
  if (operand->kind == OPERAND_CONSTANT || operand->kind == OPERAND_NONE) {
    *number = operand->constant;
    return true;
  }
  ValueId value = operand_value(search, thread, operand);
  if (value_evaluate(&search->values, &search->graph, value, number))
    return true;
  set(search, &state_of(search, thread)->waits_for, value + 1ull);
  return false;
}

static void set_register(Search *search, uint32_t thread, uint32_t reg, ValueId value) {
  if (reg != UINT32_MAX)
    set(search, &state_of(search, thread)->registers[reg], value);
}

// --- events of memory instructions

// SEM_SC of an access is a C++ order; compiled code has a fence before the access (spec D.2).
static Sem lower_sem(const Search *search, Sem sem, EventKind half) {
  if (sem != SEM_SC || search->options->model->is_language_level)
    return sem;
  return half == EVENT_READ ? SEM_ACQUIRE : SEM_RELAXED;
}

// The order that one half of an access has: acquire belongs to reads, release to writes.
Sem sem_of_half(Sem sem, EventKind half) {
  switch (sem) {
  case SEM_ACQUIRE:
    return half == EVENT_READ ? SEM_ACQUIRE : SEM_RELAXED;
  case SEM_RELEASE:
    return half == EVENT_WRITE ? SEM_RELEASE : SEM_RELAXED;
  case SEM_ACQ_REL:
    return half == EVENT_READ ? SEM_ACQUIRE : SEM_RELEASE;
  default:
    return sem;
  }
}

static Event access_event(const Search *search, uint32_t thread, const Instruction *instruction,
                          EventKind half, uint32_t object) {
  const Object *accessed = &search->program->objects[object];
  Event event = {
      .kind = half,
      .sem = sem_of_half(lower_sem(search, instruction->sem, half), half),
      .scope = instruction->scope,
      .proxy = instruction->proxy,
      .thread = thread,
      .location = accessed->location,
      .virtual_location = accessed->virtual_location,
  };
  if (instruction->flags & INSTRUCTION_VOLATILE)
    event.flags |= EVENT_VOLATILE;
  return event;
}

static bool run_load(Search *search, uint32_t thread, const Instruction *instruction) {
  uint32_t id;
  Event event = access_event(search, thread, instruction, EVENT_READ, instruction->object);
  if (!search_add_event(search, event, &id))
    return false;
  ValueId value = values_add(&search->values, (Value){.kind = VALUE_READ, .event = id});
  set_register(search, thread, instruction->dst, value);
  return search_settle_read(search, id);
}

static bool run_store(Search *search, uint32_t thread, const Instruction *instruction) {
  uint32_t id;
  Event event = access_event(search, thread, instruction, EVENT_WRITE, instruction->object);
  event.value = operand_value(search, thread, &instruction->src[0]);
  return search_add_event(search, event, &id);
}

// What a read half is by the order of the access, and by that of its failure: compiled code has one
// order for both. The orders of a read compare as numbers.
static Sem failure_sem(const Search *search, const Instruction *instruction) {
  Sem sem = instruction->failure_sem == SEM_WEAK ? instruction->sem : instruction->failure_sem;
  return sem_of_half(lower_sem(search, sem, EVENT_READ), EVENT_READ);
}

static Sem success_sem(const Search *search, const Instruction *instruction) {
  return sem_of_half(lower_sem(search, instruction->sem, EVENT_READ), EVENT_READ);
}

Sem machine_unknown_sem(const Search *search, const Instruction *instruction) {
  Sem failure = failure_sem(search, instruction), success = success_sem(search, instruction);
  bool wants_weaker = search->options->model->is_language_level;
  return (failure < success) == wants_weaker ? failure : success;
}

static bool add_atomic_read(Search *search, uint32_t thread, const Instruction *instruction,
                            uint32_t *id) {
  Event event = access_event(search, thread, instruction, EVENT_READ, instruction->object);
  if (instruction->atom == ATOM_CAS)
    event.sem = machine_unknown_sem(search, instruction);
  return search_add_atomic_read(search, instruction, event, id);
}

static bool add_atomic_write(Search *search, uint32_t thread, const Instruction *instruction,
                             uint32_t read, ValueId value) {
  Event event = access_event(search, thread, instruction, EVENT_WRITE, instruction->object);
  return search_add_atomic_write(search, read, event, value);
}

static ValueId atomic_value(Search *search, uint32_t thread, const Instruction *instruction,
                            ValueId old) {
  ValueId second = operand_value(search, thread, &instruction->src[0]);
  ValueId third = operand_value(search, thread, &instruction->src[1]);
  ValueId fresh = values_add(&search->values, (Value){.kind = VALUE_ATOMIC,
                                                      .op = instruction->atom,
                                                      .first = old,
                                                      .second = second,
                                                      .third = third});
  if (!instruction->size) // of 64 bits
    return fresh;
  bool is_signed = instruction->flags & INSTRUCTION_SIGNED;
  return values_add(
      &search->values,
      (Value){.kind = VALUE_EXTEND, .op = instruction->size, .flag = is_signed, .first = fresh});
}

static bool run_atomic(Search *search, uint32_t thread, const Instruction *instruction) {
  uint32_t read;
  if (!add_atomic_read(search, thread, instruction, &read))
    return false;
  ValueId old = values_add(&search->values, (Value){.kind = VALUE_READ, .event = read});
  ValueId fresh = atomic_value(search, thread, instruction, old);
  set_register(search, thread, instruction->dst, old);
  return add_atomic_write(search, thread, instruction, read, fresh);
}

bool machine_settle_sem(Search *search, const Instruction *instruction, uint32_t read,
                        bool is_success) {
  Sem sem = is_success ? success_sem(search, instruction) : failure_sem(search, instruction);
  return sem <= search->graph.events[read].sem || graph_strengthen_read(&search->graph, read, sem);
}

// A compare-and-swap that may fail for no reason stops once to be told whether it does.
static bool is_undecided(Search *search, uint32_t thread, const Instruction *instruction) {
  ThreadState *state = state_of(search, thread);
  if (!(instruction->flags & INSTRUCTION_SPURIOUS) || state->cas_choice)
    return false;
  set(search, &state->status, THREAD_AT_SPURIOUS);
  set(search, &search->spurious, search->spurious + 1);
  return true;
}

void machine_choose_spurious(Search *search, uint32_t thread, uint32_t choice) {
  ThreadState *state = state_of(search, thread);
  set(search, &state->status, THREAD_RUNNING);
  set(search, &search->spurious, search->spurious - 1);
  set(search, &state->cas_choice, choice + 1ull);
  if (choice)
    set(search, &state->spurious, state->po_index);
}

// Both values are known. The operands are looked at before the destinations change.
static bool finish_cas(Search *search, uint32_t thread, const Instruction *instruction,
                       uint32_t read, ValueId old, bool is_equal) {
  ThreadState *state = state_of(search, thread);
  bool is_success = is_equal && state->cas_choice < 2;
  ValueId fresh = operand_value(search, thread, &instruction->src[1]);
  set(search, &state->cas_read, 0);
  set(search, &state->cas_choice, 0);
  set_register(search, thread, instruction->dst, old);
  if (instruction->flags & INSTRUCTION_SPURIOUS)
    set_register(search, thread, instruction->more[0],
                 values_constant(&search->values, is_success));
  return machine_settle_sem(search, instruction, read, is_success) &&
         (!is_success || add_atomic_write(search, thread, instruction, read, fresh));
}

// A compare-and-swap that may fail has a write only if it succeeds (spec A.2): the thread waits
// between the halves until the value read is known. *is_done: the instruction is over.
static bool run_cas(Search *search, uint32_t thread, const Instruction *instruction,
                    bool *is_done) {
  ThreadState *state = state_of(search, thread);
  *is_done = false;
  if (!state->cas_read) {
    uint32_t id;
    if (!add_atomic_read(search, thread, instruction, &id))
      return false;
    set(search, &state->cas_read, id + 1ull);
  }
  uint32_t read = (uint32_t)state->cas_read - 1;
  ValueId old = values_add(&search->values, (Value){.kind = VALUE_READ, .event = read});
  int64_t found, expected;
  if (!value_evaluate(&search->values, &search->graph, old, &found)) {
    set(search, &state->waits_for, old + 1ull);
    return true;
  }
  if (!operand_number(search, thread, &instruction->src[0], &expected) ||
      (found == expected && is_undecided(search, thread, instruction)))
    return true;
  *is_done = true;
  return finish_cas(search, thread, instruction, read, old, found == expected);
}

// --- fences and asynchronous copies

static uint32_t fence_flags(const Instruction *fence) {
  return (fence->flags & INSTRUCTION_OF_SHARED ? EVENT_OF_SHARED : 0) |
         (fence->flags & INSTRUCTION_OF_INITS ? EVENT_OF_INITS : 0);
}

static bool run_fence(Search *search, uint32_t thread, const Instruction *instruction) {
  uint32_t id;
  if ((instruction->flags & INSTRUCTION_ABI_FENCE) && search->options->model->is_language_level)
    return true;
  bool is_proxy = instruction->op == IR_FENCE_PROXY;
  Event event = {.kind = is_proxy ? EVENT_PROXY_FENCE : EVENT_FENCE,
                 .sem = instruction->sem,
                 .scope = instruction->scope,
                 .proxy = instruction->proxy,
                 .flags = fence_flags(instruction),
                 .thread = thread};
  if (search->judge && (event.flags & EVENT_OF_INITS))
    return true;
  if (search->judge && search->kernel && (event.flags & EVENT_OF_SHARED)) {
    search->kernel->unsupported =
        "fences that order accesses to shared memory only, which only the "
        "built-in models judge, are not supported under a text";
    search_halt(search, STOP_UNSUPPORTED);
    return false;
  }
  return search_add_event(search, event, &id) &&
         (is_proxy || !search->kernel || kernel_acquire_phases(search, id));
}

static bool add_async_edge(Search *search, uint32_t from, uint32_t to) {
  return graph_add_order(&search->graph, SYNC_ASYNC, from, to);
}

// A copy's read comes after everything that the thread did before, its write after its read;
// nothing waits for it (spec A.6).
static bool run_copy(Search *search, uint32_t thread, const Instruction *instruction) {
  uint32_t read, write;
  uint64_t last = search->graph.last_event[thread];
  Event from = access_event(search, thread, instruction, EVENT_READ, instruction->source_object);
  Event to = access_event(search, thread, instruction, EVENT_WRITE, instruction->object);
  from.flags |= EVENT_ASYNC;
  to.flags |= EVENT_ASYNC;
  if (!search_add_event(search, from, &read))
    return false;
  if (last != EVENT_NONE && !add_async_edge(search, (uint32_t)last, read))
    return false;
  to.value = values_add(&search->values, (Value){.kind = VALUE_READ, .event = read});
  return search_add_event(search, to, &write) && add_async_edge(search, read, write);
}

static bool run_copy_wait(Search *search, uint32_t thread) {
  uint32_t id;
  Graph *graph = &search->graph;
  if (!search_add_event(search, (Event){.kind = EVENT_BARRIER, .thread = thread}, &id))
    return false;
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if ((graph->events[event].flags & EVENT_ASYNC) && graph->events[event].kind == EVENT_WRITE &&
      !add_async_edge(search, (uint32_t)event, id))
    return false;
  return true;
}

// --- control

static bool run_branch(Search *search, uint32_t thread, const Instruction *instruction) {
  ThreadState *state = state_of(search, thread);
  int64_t left, right;
  if (instruction->compare == IR_NOP) {
    set(search, &state->pc, instruction->target);
    return true;
  }
  if (!operand_number(search, thread, &instruction->src[0], &left) ||
      !operand_number(search, thread, &instruction->src[1], &right))
    return true;
  set(search, &state->pc,
      ir_compute(instruction->compare, left, right) ? instruction->target : state->pc + 1);
  return true;
}

static void run_compute(Search *search, uint32_t thread, const Instruction *instruction) {
  ValueId first = operand_value(search, thread, &instruction->src[0]);
  if (instruction->op == IR_MOVE) {
    set_register(search, thread, instruction->dst, first);
    if (search->symmetry)
      symmetry_move(search, thread, instruction);
    if (slots_are_on(search))
      slots_set(search, thread, instruction->dst,
                slots_operand(search, thread, &instruction->src[0]));
    return;
  }
  ValueId second = operand_value(search, thread, &instruction->src[1]);
  Value value = {
      .kind = VALUE_COMPUTE, .op = (uint8_t)instruction->op, .first = first, .second = second};
  set_register(search, thread, instruction->dst, values_add(&search->values, value));
}

void machine_finish_thread(Search *search, uint32_t thread, ThreadStatus status) {
  set(search, &state_of(search, thread)->status, status);
  graph_add_bit(&search->graph, search->ended, thread);
  set(search, &search->unfinished, search->unfinished - 1);
  if (status == THREAD_AWAITING)
    set(search, &search->awaiting, search->awaiting + 1);
}

bool machine_end_thread(Search *search, uint32_t thread) {
  machine_finish_thread(search, thread, THREAD_FINISHED);
  return !search->kernel || kernel_finish_thread(search, thread);
}

// --- one instruction

static bool run_instruction(Search *search, uint32_t thread, const Instruction *instruction) {
  ThreadState *state = state_of(search, thread);
  bool is_consistent = true, is_done = true;
  if (search->kernel && instruction->op != IR_BRANCH && instruction->op != IR_EXIT &&
      instruction->op != IR_FENCE && instruction->op != IR_FENCE_PROXY &&
      instruction->op != IR_NO_EVENT &&
      (instruction->op > IR_SET_GE || instruction->op == IR_NOP)) {
    uint64_t pc = state->pc;
    is_consistent = kernel_run_instruction(search, thread, instruction, &is_done);
    // A thread at fault has been sent to its end.
    if (is_done && state->pc == pc)
      set(search, &state->pc, state->pc + 1);
    return is_consistent;
  }
  switch (instruction->op) {
  case IR_LOAD:
    is_consistent = run_load(search, thread, instruction);
    break;
  case IR_STORE:
    is_consistent = run_store(search, thread, instruction);
    break;
  case IR_ATOM:
  case IR_RED:
    if (instruction->atom == ATOM_CAS)
      is_consistent = run_cas(search, thread, instruction, &is_done);
    else
      is_consistent = run_atomic(search, thread, instruction);
    break;
  case IR_FENCE:
  case IR_FENCE_PROXY:
    is_consistent = run_fence(search, thread, instruction);
    break;
  case IR_BARRIER:
  case IR_BARRIER_WARP:
  case IR_CLUSTER_ARRIVE:
  case IR_CLUSTER_WAIT:
    is_consistent = barrier_arrive(search, thread, instruction, &is_done);
    break;
  case IR_COPY_ASYNC:
    is_consistent = run_copy(search, thread, instruction);
    break;
  case IR_COPY_WAIT:
    is_consistent = run_copy_wait(search, thread);
    break;
  case IR_BRANCH:
    return run_branch(search, thread, instruction);
  case IR_EXIT:
    set(search, &state->pc, search->codes[thread].thread->instruction_count);
    return true;
  case IR_NOP:
  case IR_NO_EVENT:
    break;
  default:
    run_compute(search, thread, instruction);
  }
  if (is_done)
    set(search, &state->pc, state->pc + 1);
  return is_consistent;
}

bool machine_run_instruction(Search *search, uint32_t thread, const Instruction *instruction) {
  if (!search->kernel || !search->kernel->has_undefined)
    return run_instruction(search, thread, instruction);
  UndefinedStep step = kernel_begin_step(search, thread, instruction);
  if (!run_instruction(search, thread, instruction))
    return false;
  kernel_end_step(search, thread, instruction, &step);
  return true;
}

static bool can_run(const ThreadState *state) {
  return state->status == THREAD_RUNNING && !state->waits_for;
}

// A loop without choices that runs longer is cut; meanwhile the time may be over.
enum { MOST_INSTRUCTIONS = 20000000, LOOK_INSTRUCTIONS = 256 };

static bool is_late(Search *search) {
  if (search->instruction_count % LOOK_INSTRUCTIONS || !search->pool ||
      !pool_is_late(search->pool, search))
    return false;
  search->must_stop = true;
  return true;
}

static bool run_thread(Search *search, uint32_t thread) {
  if (search->guests)
    return guest_run_thread(search, thread);
  ThreadState *state = state_of(search, thread);
  const Code *code = &search->codes[thread];
  while (can_run(state)) {
    uint64_t pc = state->pc;
    if (pc == code->thread->instruction_count) {
      return machine_end_thread(search, thread);
    }
    const Instruction *instruction = &code->thread->instructions[pc];
    if (++search->instruction_count > MOST_INSTRUCTIONS) {
      machine_finish_thread(search, thread, THREAD_CUT);
      return true;
    }
    if (is_late(search))
      return false;
    if (search->symmetry)
      symmetry_check(search, thread, instruction);
    if (slots_are_on(search) && !slots_allow(search, thread, instruction))
      return false;
    if (!machine_run_instruction(search, thread, instruction))
      return false;
    if (state->pc != pc || (instruction->op == IR_BRANCH && !state->waits_for))
      machine_enter_instruction(search, thread);
  }
  return true;
}

static bool is_silent(IrOp op) {
  return op == IR_ALU || op == IR_ADDRESS || op == IR_BRANCH || op == IR_EXIT ||
         op == IR_BRANCH_INDEX || op == IR_NO_EVENT || op == IR_CLOCK;
}

static bool run_silently(Search *search, uint32_t thread, bool goes_round) {
  const ThreadState *state = &search->threads[thread];
  const Thread *code = search->codes[thread].thread;
  bool has_gone_back = false;
  while (can_run(state) && state->pc < code->instruction_count &&
         is_silent((IrOp)code->instructions[state->pc].op)) {
    uint64_t pc = state->pc;
    machine_run_instruction(search, thread, &code->instructions[pc]);
    if (state->waits_for || state->pc > pc)
      continue;
    if (has_gone_back || !goes_round)
      return true;
    has_gone_back = true;
  }
  return has_gone_back;
}

// What a thread would do with other values is no part of an execution.
bool machine_run_silently(Search *search, uint32_t thread, bool goes_round) {
  struct Symmetry *symmetry = search->symmetry;
  struct Slots *slots = search->slots;
  search->symmetry = NULL;
  search->slots = NULL;
  bool has_gone_back = run_silently(search, thread, goes_round);
  search->symmetry = symmetry;
  search->slots = slots;
  return has_gone_back;
}

// --- waiting threads

static bool launch_is_ready(const Search *search, uint32_t thread) {
  if (search->kernel)
    return kernel_can_start(search, thread);
  for (uint32_t i = 0; i < search->program->order_count; i++) {
    const ThreadOrder *order = &search->program->orders[i];
    if (order->after == thread && search->threads[order->before].status != THREAD_FINISHED)
      return false;
  }
  return true;
}

static bool is_of_later_launch(const Search *search, uint32_t thread) {
  for (uint32_t i = 0; i < search->program->order_count; i++)
    if (search->program->orders[i].after == thread)
      return true;
  return false;
}

// An event without effect stands for the start of a thread of a later launch (spec E.1).
static bool start_thread(Search *search, uint32_t thread) {
  Graph *graph = &search->graph;
  uint32_t start;
  set(search, &state_of(search, thread)->status, THREAD_RUNNING);
  machine_enter_instruction(search, thread);
  if (search->kernel)
    return kernel_start_thread(search, thread);
  if (!is_of_later_launch(search, thread))
    return true;
  if (!search_add_event(search, (Event){.kind = EVENT_BARRIER, .thread = thread}, &start))
    return false;
  for (uint32_t i = 0; i < search->program->order_count; i++) {
    const ThreadOrder *order = &search->program->orders[i];
    if (order->after != thread)
      continue;
    BITS_EACH(event, graph_row(graph, graph->thread_events, order->before), graph->words)
    if (((graph->events[event].flags & EVENT_ASYNC) || event == graph->last_event[order->before]) &&
        !graph_add_order(graph, SYNC_API, (uint32_t)event, start))
      return false;
  }
  return true;
}

// Notes what a running thread waits for, so that it is not looked at before that has a source.
static bool is_blocked(Search *search, uint32_t thread) {
  ThreadState *state = state_of(search, thread);
  if (!state->waits_for)
    return false;
  uint32_t read =
      value_find_open_read(&search->values, &search->graph, (ValueId)state->waits_for - 1);
  if (read == EVENT_NONE)
    return false;
  set(search, &state->blocked_by, read);
  graph_add_bit(&search->graph, search->blocked, thread);
  return true;
}

// Wakes a thread whose reason to wait is gone; *woke says so.
static bool try_wake(Search *search, uint32_t thread, bool *woke) {
  ThreadState *state = state_of(search, thread);
  *woke = false;
  if (search->kernel && state->status > THREAD_RUNNING && state->status < THREAD_AWAITING)
    return kernel_try_release(search, thread, woke);
  if (state->status == THREAD_AT_BARRIER)
    return barrier_try_release(search, thread, woke);
  if (state->status == THREAD_NOT_STARTED && launch_is_ready(search, thread)) {
    *woke = true;
    return start_thread(search, thread);
  }
  if (state->status != THREAD_RUNNING || is_blocked(search, thread))
    return true;
  if (state->waits_for &&
      ((search->guests && !guest_may_wake(search, thread)) || !polls_are_worth_it(search, thread)))
    return false;
  set(search, &state->waits_for, 0);
  *woke = true;
  return true;
}

// Looks once at each thread that may have a reason to go on; *progress says whether one did.
static bool advance_once(Search *search, bool *progress) {
  uint32_t count = search->program->thread_count;
  *progress = false;
  for (uint32_t w = 0; w < bits_words(count); w++)
    for (uint64_t left = ~(search->blocked[w] | search->ended[w]); left; left &= left - 1) {
      uint32_t thread = w * 64 + bits_first(left);
      bool woke;
      if (thread >= count)
        break;
      if (!try_wake(search, thread, &woke))
        return false;
      *progress = *progress || woke;
      if (woke && !run_thread(search, thread))
        return false;
    }
  return true;
}

bool machine_advance(Search *search) {
  search->instruction_count = 0;
  bool progress = search->unfinished > 0;
  while (progress) {
    if ((search->guests && !guest_settle_all(search)) || !advance_once(search, &progress))
      return false;
    progress = progress || kernel_let_go(search) || kernel_fail_test(search);
  }
  return !search->awaiting || !liveness_goes_on(search);
}
