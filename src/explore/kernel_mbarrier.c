// mbarriers of kernels (spec A.5).
#include "explore/kernel.h"
#include "ir/mbarrier.h"

#include <string.h>

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

// --- mbarrier objects

Mbarrier *kernel_find_mbarrier(const Search *search, uint64_t address) {
  for (uint32_t i = 0; i < search->kernel->mbarrier_count; i++)
    if (search->kernel->mbarriers[i].address == address)
      return &search->kernel->mbarriers[i];
  return NULL;
}

enum { MOST_MBARRIERS = 256 };

static Mbarrier *add_mbarrier(Search *search, uint64_t address) {
  Kernel *kernel = search->kernel;
  if (kernel->mbarrier_count == MOST_MBARRIERS) {
    search_halt(search, STOP_CAPACITY);
    return NULL;
  }
  // The table does not move: the trail points into it.
  if (!kernel->mbarriers)
    kernel->mbarriers = ARENA_ARRAY(search->arena, Mbarrier, MOST_MBARRIERS);
  Mbarrier *barrier = &kernel->mbarriers[kernel->mbarrier_count];
  memset(barrier, 0, sizeof *barrier);
  barrier->address = address;
  set(search, &kernel->mbarrier_count, kernel->mbarrier_count + 1);
  return barrier;
}

static void append(Search *search, uint64_t *newest, uint32_t event, uint32_t head) {
  Kernel *kernel = search->kernel;
  uint32_t i = (uint32_t)kernel->mbarrier_arrival_count;
  if (i == kernel->mbarrier_arrival_capacity)
    kernel->mbarrier_arrivals =
        array_grow(search->arena, kernel->mbarrier_arrivals, i, &kernel->mbarrier_arrival_capacity,
                   sizeof *kernel->mbarrier_arrivals);
  kernel->mbarrier_arrivals[i] = (MbarrierArrival){event, head, (uint32_t)*newest};
  set(search, &kernel->mbarrier_arrival_count, i + 1);
  set(search, newest, i + 1);
}

void kernel_add_arrival(Search *search, Mbarrier *barrier, uint32_t event, uint32_t head) {
  append(search, &barrier->newest, event, head);
}

// The transition to the next phase, if nothing is pending any more.
bool kernel_try_complete(Search *search, Mbarrier *barrier, uint32_t thread) {
  Kernel *kernel = search->kernel;
  uint32_t meeting;
  if (!barrier->is_live || barrier->pending || barrier->transaction)
    return true;
  if (!kernel_add_meeting(search, thread, NULL, 0, &meeting))
    return false;
  kernel_note_overtaken_tests(search, barrier);
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->mbarrier_arrivals[i - 1].older) {
    uint32_t head = kernel->mbarrier_arrivals[i - 1].head;
    if (head != EVENT_NONE && !graph_add_order(&search->graph, SYNC_BARRIER, head, meeting))
      return false;
  }
  kernel_note_early_tests(search, barrier, meeting);
  set(search, &barrier->tests, 0);
  set(search, &barrier->completion, meeting + 1ull);
  set(search, &barrier->phase, barrier->phase + 1);
  set(search, &barrier->pending, barrier->expected);
  set(search, &barrier->previous, barrier->newest);
  set(search, &barrier->newest, 0);
  return true;
}

// An operation on the object itself: atomic toward the other operations, but not toward `init`.
static bool touch(Search *search, uint32_t thread, const Instruction *instruction,
                  uint32_t location, uint32_t *event) {
  Event access = kernel_access_event(search, thread, instruction, EVENT_READ, location);
  access.flags |= EVENT_EAGER | EVENT_NORET;
  if (access.scope == SCOPE_NONE)
    access.scope = SCOPE_CTA;
  if (access.sem == SEM_WEAK || access.sem == SEM_ACQUIRE)
    access.sem = SEM_RELAXED;
  access.value = values_constant(&search->values, 0);
  return search_add_event(search, access, event);
}

static bool init_mbarrier(Search *search, uint32_t thread, const Instruction *instruction,
                          uint32_t location, uint64_t count) {
  uint32_t event;
  uint64_t address = search->graph.locations[location].address;
  Event write = kernel_access_event(search, thread, instruction, EVENT_WRITE, location);
  write.sem = SEM_WEAK;
  write.scope = SCOPE_NONE;
  write.flags |= EVENT_INITS;
  write.value = values_constant(&search->values, (int64_t)count);
  if (!search_add_event(search, write, &event))
    return false;
  Mbarrier *barrier = kernel_find_mbarrier(search, address);
  if (!barrier)
    barrier = add_mbarrier(search, address);
  if (!barrier)
    return false;
  bool is_init = instruction->mbarrier == MBARRIER_INIT;
  if (is_init && barrier->is_live)
    kernel_add_fault(search, thread, RULE_BARRIER_MISMATCH);
  set(search, &barrier->is_live, is_init);
  set(search, &barrier->expected, count);
  set(search, &barrier->pending, count);
  set(search, &barrier->transaction, 0);
  set(search, &barrier->phase, 0);
  set(search, &barrier->newest, 0);
  set(search, &barrier->completion, 0);
  set(search, &barrier->tests, 0);
  return true;
}

static bool ends_phase(const Instruction *instruction, const Mbarrier *barrier,
                       const uint64_t *numbers) {
  switch ((MbarrierOp)instruction->mbarrier) {
  case MBARRIER_EXPECT:
    return false;
  case MBARRIER_COMPLETE:
    return barrier->pending == 0 && barrier->transaction == numbers[0];
  default:
    return barrier->pending == numbers[0] && barrier->transaction + numbers[1] == 0;
  }
}

static bool is_release_fence(const Event *event) {
  return event->kind == EVENT_FENCE &&
         (event->sem == SEM_RELEASE || event->sem == SEM_ACQ_REL || event->sem == SEM_SC);
}

static bool is_restricted(const Graph *graph, uint32_t fence) {
  return fence == EVENT_NONE || event_is_restricted(&graph->events[fence]);
}

// What the arrival releases: what comes before it or, if it is relaxed, before the newest release
// fence of its thread that has its scope (spec B.3); one that orders some accesses only if there is
// no other.
static uint32_t find_head(const Search *search, const Instruction *instruction, uint32_t arrival) {
  const Graph *graph = &search->graph;
  uint32_t head = EVENT_NONE, scope = graph->events[arrival].scope;
  if (instruction->sem != SEM_RELAXED)
    return arrival;
  BITS_EACH(event, graph_row(graph, graph->thread_events, graph->events[arrival].thread),
            graph->words)
  if (is_release_fence(&graph->events[event]) && graph->events[event].scope >= scope &&
      is_restricted(graph, (uint32_t)event) <= is_restricted(graph, head))
    head = (uint32_t)event;
  return head;
}

static bool is_live_behind(const Search *search, uint32_t thread, uint32_t reg) {
  return reg != UINT32_MAX &&
         code_is_live(&search->codes[thread], (uint32_t)search->threads[thread].pc + 1, reg);
}

static bool arrive_at(Search *search, uint32_t thread, const Instruction *instruction,
                      uint32_t location, Mbarrier *barrier, const uint64_t *numbers,
                      bool *is_done) {
  uint32_t event;
  *is_done =
      !ends_phase(instruction, barrier, numbers) || !kernel_holds_back(search, thread, barrier);
  if (!*is_done)
    return true;
  if (!touch(search, thread, instruction, location, &event))
    return false;
  set(search, &search->threads[thread].effects, search->threads[thread].effects + 1);
  if (instruction->compare && is_live_behind(search, thread, instruction->dst))
    append(search, &search->kernel->counting, event, EVENT_NONE);
  kernel_set_register(
      search, thread, instruction->dst,
      values_constant(&search->values,
                      (int64_t)mbarrier_state(instruction, barrier->phase, barrier->pending)));
  switch ((MbarrierOp)instruction->mbarrier) {
  case MBARRIER_EXPECT:
    set(search, &barrier->transaction, barrier->transaction + numbers[0]);
    return true;
  case MBARRIER_COMPLETE:
    set(search, &barrier->transaction, barrier->transaction - numbers[0]);
    kernel_add_arrival(search, barrier, event, find_head(search, instruction, event));
    return kernel_try_complete(search, barrier, thread);
  case MBARRIER_DROP:
    set(search, &barrier->expected, barrier->expected - numbers[0]);
    break;
  default:
    break;
  }
  set(search, &barrier->transaction, barrier->transaction + numbers[1]);
  bool completes = numbers[0] == barrier->pending && !barrier->transaction;
  if (numbers[0] > barrier->pending || (completes && instruction->compare))
    kernel_add_fault(search, thread, RULE_BARRIER_MISMATCH);
  if (numbers[0] > barrier->pending)
    return true;
  set(search, &barrier->pending, barrier->pending - numbers[0]);
  kernel_add_arrival(search, barrier, event, find_head(search, instruction, event));
  return kernel_try_complete(search, barrier, thread);
}

static bool is_test(const Instruction *instruction) {
  return instruction->mbarrier == MBARRIER_TEST_STATE ||
         instruction->mbarrier == MBARRIER_TEST_PARITY;
}

void kernel_wait_for_mbarrier(Search *search, uint32_t thread, uint64_t address) {
  set(search, &search->threads[thread].status, THREAD_AT_MBARRIER);
  set(search, &search->threads[thread].mbarrier, address);
}

// Who waits at `test` and acquires at `last`, which is the same or a fence behind it.
typedef struct Wait {
  uint32_t test, last;
} Wait;

static bool reaches(const Search *search, const MbarrierArrival *arrival, Wait wait) {
  const Graph *graph = &search->graph;
  bool is_copy = graph->events[arrival->event].kind != EVENT_READ;
  if (arrival->head == EVENT_NONE)
    return false;
  return is_copy || (graph_is_scope_mutual(graph, arrival->event, wait.test) &&
                     graph_is_scope_mutual(graph, arrival->head, wait.last));
}

// Then the completion of the phase stands for its arrivals: one pair instead of hundreds.
static bool all_reach(const Search *search, const PhaseSeen *seen, Wait wait) {
  const MbarrierArrival *arrivals = search->kernel->mbarrier_arrivals;
  for (uint32_t i = seen->arrivals; i; i = arrivals[i - 1].older)
    if (arrivals[i - 1].head != EVENT_NONE && !reaches(search, &arrivals[i - 1], wait))
      return false;
  return seen->completion != 0;
}

// The arrivals of the phase that is over, as far as they and the wait are in each other's scope
// (spec A.5); completions of copies reach every wait.
static bool join_arrivals(Search *search, const PhaseSeen *seen, uint32_t last) {
  const MbarrierArrival *arrivals = search->kernel->mbarrier_arrivals;
  Wait wait = {seen->test, last};
  if (all_reach(search, seen, wait)) {
    uint32_t completion = seen->completion - 1;
    return graph_order_sets(&search->graph, &completion, 1, &last, 1);
  }
  for (uint32_t i = seen->arrivals; i; i = arrivals[i - 1].older)
    if (reaches(search, &arrivals[i - 1], wait) &&
        !graph_order_sets(&search->graph, &arrivals[i - 1].head, 1, &last, 1))
      return false;
  return true;
}

static void remember(Search *search, uint32_t thread, bool is_relaxed, PhaseSeen seen) {
  Kernel *kernel = search->kernel;
  uint64_t *newest = &search->threads[thread].phase_seen;
  uint32_t i = (uint32_t)kernel->phase_seen_count;
  if (i == kernel->phase_seen_capacity)
    kernel->phases_seen = array_grow(search->arena, kernel->phases_seen, i,
                                     &kernel->phase_seen_capacity, sizeof *kernel->phases_seen);
  seen.older = (uint32_t)*newest;
  kernel->phases_seen[i] = seen;
  set(search, &kernel->phase_seen_count, i + 1);
  if (is_relaxed)
    set(search, newest, i + 1);
}

bool kernel_acquire_phases(Search *search, uint32_t fence) {
  const Event *event = &search->graph.events[fence];
  bool acquires = event->sem == SEM_ACQUIRE || event->sem == SEM_ACQ_REL || event->sem == SEM_SC;
  uint32_t i = acquires ? (uint32_t)search->threads[event->thread].phase_seen : 0;
  for (; i; i = search->kernel->phases_seen[i - 1].older) {
    PhaseSeen seen = search->kernel->phases_seen[i - 1];
    if (!join_arrivals(search, &seen, fence))
      return false;
  }
  return true;
}

static bool has_seen_completion(const Search *search, uint32_t thread, const Mbarrier *barrier) {
  const MbarrierArrival *tests = search->kernel->mbarrier_arrivals;
  for (uint32_t i = (uint32_t)barrier->tests; i; i = tests[i - 1].older)
    if (search->graph.events[tests[i - 1].event].thread == thread)
      return true;
  return false;
}

// All arrivals come before what the thread does next. (The event that stands for the completion
// does not: it belongs to nobody.) Or a test of its own has told it.
bool kernel_knows_completion(const Search *search, uint32_t thread, const Mbarrier *barrier) {
  const Graph *graph = &search->graph;
  const MbarrierArrival *arrivals = search->kernel->mbarrier_arrivals;
  uint64_t last = graph->last_event[thread];
  bool is_known = barrier->previous && last != EVENT_NONE;
  if (has_seen_completion(search, thread, barrier))
    return true;
  for (uint32_t i = (uint32_t)barrier->previous; is_known && i; i = arrivals[i - 1].older)
    is_known = arrivals[i - 1].event == last ||
               graph_has(graph, graph->order_before, (uint32_t)last, arrivals[i - 1].event);
  return is_known;
}

static bool fail_test(Search *search, uint32_t thread, const Instruction *instruction,
                      uint32_t location) {
  uint32_t event;
  ThreadState *state = &search->threads[thread];
  set(search, &state->failed_at, state->pc + 1);
  set(search, &state->failures, state->failures + 1);
  kernel_set_register(search, thread, instruction->dst, values_constant(&search->values, 0));
  return touch(search, thread, instruction, location, &event);
}

// A test that would fail is taken for a wait: the loop around it ends when the phase does. What
// else a failure leads to is explored by searches of their own.
static bool test_phase(Search *search, uint32_t thread, const Instruction *instruction,
                       uint32_t location, Mbarrier *barrier, uint64_t wanted, bool *is_done) {
  uint32_t event;
  bool is_over = mbarrier_is_over(instruction, wanted, barrier->phase);
  if (!is_over || !kernel_knows_completion(search, thread, barrier)) {
    kernel_note_test(search, thread, instruction);
    bool fails = kernel_wants_failure(search, thread, instruction, is_done);
    if (!*is_done)
      return true;
    if (fails)
      return fail_test(search, thread, instruction, location);
  }
  if (search->kernel->failing == thread + 1ull) {
    set(search, &search->kernel->failing, 0);
    if (!is_over)
      return fail_test(search, thread, instruction, location);
  }
  *is_done = is_over && !kernel_tests_late(search, thread);
  if (!is_over)
    kernel_note_missed_phase(search, thread, barrier);
  if (!*is_done) {
    kernel_wait_for_mbarrier(search, thread, barrier->address);
    return true;
  }
  if (!touch(search, thread, instruction, location, &event))
    return false;
  append(search, &barrier->tests, event, EVENT_NONE);
  kernel_set_register(search, thread, instruction->dst, values_constant(&search->values, 1));
  PhaseSeen seen = {event, (uint32_t)barrier->previous, (uint32_t)barrier->completion, 0};
  bool is_relaxed = instruction->sem == SEM_RELAXED;
  remember(search, thread, is_relaxed, seen);
  return is_relaxed || join_arrivals(search, &seen, event);
}

bool kernel_arrival_is_seen(const Search *search, uint32_t arrival, uint32_t block) {
  const Kernel *kernel = search->kernel;
  for (uint64_t i = 0; i < kernel->phase_seen_count; i++) {
    const PhaseSeen *seen = &kernel->phases_seen[i];
    if (search->program->threads[search->graph.events[seen->test].thread].block != block)
      continue;
    for (uint32_t a = seen->arrivals; a; a = kernel->mbarrier_arrivals[a - 1].older)
      if (kernel->mbarrier_arrivals[a - 1].event == arrival)
        return true;
  }
  return false;
}

static bool run_mbarrier(Search *search, uint32_t thread, const Instruction *instruction,
                         uint32_t location, const uint64_t *numbers, bool *is_done) {
  uint64_t address = search->graph.locations[location].address;
  if (instruction->mbarrier <= MBARRIER_INVALIDATE)
    return init_mbarrier(search, thread, instruction, location, numbers[0]);
  Mbarrier *barrier = kernel_find_mbarrier(search, address);
  if (!barrier || !barrier->is_live) {
    // Somebody may still initialise it; that it is not ordered then is a race.
    *is_done = false;
    kernel_wait_for_mbarrier(search, thread, address);
    return true;
  }
  if (is_test(instruction))
    return test_phase(search, thread, instruction, location, barrier, numbers[0], is_done);
  return arrive_at(search, thread, instruction, location, barrier, numbers, is_done);
}

// Only a state of an arrival with .noComplete has the count (PTX ISA, "mbarrier.pending_count").
static void tell_pending(Search *search, uint32_t thread, const Instruction *instruction,
                         uint64_t state) {
  uint32_t count = mbarrier_state_pending(state);
  kernel_set_register(search, thread, instruction->dst, values_constant(&search->values, count));
  if (!count)
    kernel_set_undefined(search, thread, instruction->dst,
                         (UndefinedValue){.bits = UINT32_MAX,
                                          .origin = (uint32_t)search->threads[thread].pc,
                                          .is_hollow = true});
}

bool kernel_mbarrier(Search *search, uint32_t thread, const Instruction *instruction,
                     bool *is_done) {
  uint32_t location;
  uint64_t numbers[2] = {0};
  for (uint32_t i = 0; i < 2; i++) {
    *is_done = kernel_number(search, thread, &instruction->src[i], &numbers[i]);
    if (!*is_done)
      return true;
  }
  if (instruction->mbarrier == MBARRIER_PENDING) {
    tell_pending(search, thread, instruction, numbers[0]);
    return true;
  }
  if (!kernel_locate(search, thread, instruction, &instruction->address, instruction->offset,
                     (Space)instruction->space, instruction->size, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  return run_mbarrier(search, thread, instruction, location, numbers, is_done);
}

// Can the thread's instruction do more than when it began to wait?
bool kernel_mbarrier_is_ready(const Search *search, uint32_t thread) {
  const Mbarrier *barrier = kernel_find_mbarrier(search, search->threads[thread].mbarrier);
  const Instruction *instruction =
      &search->codes[thread].thread->instructions[search->threads[thread].pc];
  int64_t wanted = instruction->src[0].constant;
  if (!barrier || !barrier->is_live)
    return false;
  if (!is_test(instruction))
    return true;
  if (instruction->src[0].kind == OPERAND_REGISTER)
    value_evaluate(&search->values, &search->graph,
                   (ValueId)search->threads[thread].registers[instruction->src[0].index], &wanted);
  return mbarrier_is_over(instruction, (uint64_t)wanted, barrier->phase);
}
