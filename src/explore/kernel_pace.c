// How fast threads that meet at mbarriers go on. Arrivals and tests are no choices of the search:
// each thread runs as far as it can, so a phase may end before a thread that waits for the phase
// before has looked, or the other way round. Where nothing orders the two, as in a ring that is not
// waited for, both can happen, and what follows differs: the kernel is explored at other paces too.
#include "explore/contended.h"
#include "explore/kernel.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

static bool is_let_go(Search *search, uint32_t thread) {
  if (search->kernel->let_go != thread + 1ull)
    return false;
  set(search, &search->kernel->let_go, 0);
  return true;
}

bool kernel_holds_back(Search *search, uint32_t thread, const Mbarrier *barrier) {
  if (search->contended->pace != PACE_LEISURELY || is_let_go(search, thread))
    return false;
  set(search, &search->threads[thread].status, THREAD_HELD);
  set(search, &search->threads[thread].mbarrier, barrier->address);
  return true;
}

bool kernel_tests_late(Search *search, uint32_t thread) {
  return search->contended->pace == PACE_LATE_TESTS && !is_let_go(search, thread);
}

// Of those who would end a phase, who would end the lowest; of those who wait, the first.
static uint32_t find_held(const Search *search) {
  uint32_t found = UINT32_MAX;
  uint64_t lowest = UINT64_MAX;
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    const ThreadState *state = &search->threads[t];
    if (state->status == THREAD_AT_MBARRIER && search->contended->pace == PACE_LATE_TESTS &&
        kernel_mbarrier_is_ready(search, t))
      return t;
    if (state->status != THREAD_HELD)
      continue;
    const Mbarrier *barrier = kernel_find_mbarrier(search, state->mbarrier);
    if (barrier->phase < lowest) {
      lowest = barrier->phase;
      found = t;
    }
  }
  return found;
}

bool kernel_let_go(Search *search) {
  if (!search->kernel || search->contended->pace == PACE_EAGER)
    return false;
  uint32_t thread = find_held(search);
  if (thread == UINT32_MAX)
    return false;
  set(search, &search->threads[thread].status, THREAD_RUNNING);
  set(search, &search->kernel->let_go, thread + 1ull);
  return true;
}

// --- what may happen in another order, too

void kernel_note_missed_phase(Search *search, uint32_t thread, const Mbarrier *barrier) {
  if (barrier->completion && !search->notes->phases_race)
    search->notes->phases_race = !kernel_knows_completion(search, thread, barrier);
}

void kernel_note_overtaken_tests(Search *search, const Mbarrier *barrier) {
  for (uint32_t t = 0; t < search->program->thread_count; t++)
    if (search->threads[t].status == THREAD_AT_MBARRIER &&
        search->threads[t].mbarrier == barrier->address && kernel_mbarrier_is_ready(search, t))
      search->notes->phases_race = true;
}

void kernel_note_early_tests(Search *search, const Mbarrier *barrier, uint32_t completion) {
  const Graph *graph = &search->graph;
  const MbarrierArrival *tests = search->kernel->mbarrier_arrivals;
  for (uint32_t i = (uint32_t)barrier->tests; i; i = tests[i - 1].older)
    if (!graph_has(graph, graph->order_before, completion, tests[i - 1].event))
      search->notes->phases_race = true;
}

// --- pending counts

static bool counts_too(const Search *search, const Event *counting, const Event *other) {
  const Thread *thread = search->codes[other->thread].thread;
  if (other->thread == counting->thread || other->instruction >= thread->instruction_count)
    return false;
  const Instruction *instruction = &thread->instructions[other->instruction];
  if (instruction->op == IR_COPY_ARRIVE)
    return instruction->compare;
  return instruction->op == IR_MBARRIER && other->location == counting->location &&
         (instruction->mbarrier == MBARRIER_ARRIVE || instruction->mbarrier == MBARRIER_DROP);
}

static bool has_rival(const Search *search, uint32_t counting) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++)
    if (counts_too(search, &graph->events[counting], &graph->events[i]) &&
        !graph_has(graph, graph->order_after, counting, i) &&
        !graph_has(graph, graph->order_before, counting, i))
      return true;
  return false;
}

// Arrivals are no choices of the search: of their orders it has explored one.
void kernel_note_counts(Search *search) {
  const MbarrierArrival *arrivals = search->kernel->mbarrier_arrivals;
  for (uint32_t i = (uint32_t)search->kernel->counting; i && !search->notes->counts_race;
       i = arrivals[i - 1].older)
    search->notes->counts_race = has_rival(search, arrivals[i - 1].event);
}
