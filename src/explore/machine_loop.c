// Threads that come to the head of a loop: has the round before changed anything?
#include "explore/kernel.h"
#include "explore/kernel_slots.h"
#include "explore/symmetry.h"

static ThreadState *state_of(Search *search, uint32_t thread) {
  return &search->threads[thread];
}

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

// bar.warp.sync only orders what the lanes of a warp do, and so does a barrier what those of the
// block do; see kernel_poll.c.
static bool is_exchange(const Search *search, const Event *event) {
  const Thread *thread = search->codes[event->thread].thread;
  if (!search->kernel || event->instruction >= thread->instruction_count)
    return false;
  const Instruction *instruction = &thread->instructions[event->instruction];
  return instruction->op == IR_BARRIER_WARP || code_is_block_barrier(instruction);
}

bool machine_writes_back(const Search *search, uint32_t write) {
  const Graph *graph = &search->graph;
  const Value *value = &search->values.items[graph->events[write].value];
  int64_t fresh, old;
  if (value->kind == VALUE_EXTEND)
    value = &search->values.items[value->first];
  return graph->mate[write] != EVENT_NONE && value->kind == VALUE_ATOMIC &&
         value_evaluate(&search->values, graph, graph->events[write].value, &fresh) &&
         value_evaluate(&search->values, graph, value->first, &old) && old == fresh;
}

static bool changes_memory(Search *search, uint32_t write, uint64_t po_index) {
  if (search->graph.mate[write] == EVENT_NONE && search->kernel && !search->guests)
    return !kernel_store_is_idle(search, write, po_index);
  return !machine_writes_back(search, write);
}

bool machine_iteration_is_pure(Search *search, uint32_t thread, uint64_t po_index) {
  const Graph *graph = &search->graph;
  BITS_EACH(id, graph_row(graph, graph->thread_events, thread), graph->words) {
    const Event *event = &graph->events[id];
    if (event->po_index < po_index)
      continue;
    // What stands for the meeting of others is no act of this thread.
    bool is_meeting = event->flags & EVENT_ASYNC;
    if (event->kind == EVENT_BARRIER && !is_meeting && !is_exchange(search, event))
      return false;
    if (event->kind == EVENT_WRITE && changes_memory(search, (uint32_t)id, po_index))
      return false;
  }
  return true;
}

static bool has_same_value(const Search *search, uint64_t a, uint64_t b) {
  int64_t first, second;
  return a == b ||
         (value_evaluate(&search->values, &search->graph, (ValueId)a, &first) &&
          value_evaluate(&search->values, &search->graph, (ValueId)b, &second) && first == second);
}

static bool live_registers_are_same(Search *search, uint32_t thread, const HeaderVisit *visit) {
  const Code *code = &search->codes[thread];
  const ThreadState *state = &search->threads[thread];
  bool is_same = true;
  for (uint32_t r = 0; is_same && r < code->thread->register_count; r++)
    is_same = !code_is_live(code, (uint32_t)state->pc, r) ||
              has_same_value(search, state->registers[r], visit->registers[r]);
  if (search->symmetry)
    symmetry_check_header(search, thread, visit, is_same);
  if (is_same && slots_are_on(search))
    slots_check_header(search, thread, visit);
  return is_same;
}

// A thread is back at a loop header. If nothing changed since the last visit, the iteration was a
// failed attempt of an await: the execution in which the loop's reads succeed at once is explored
// through their other sources, and dropping a failed attempt (reads, fences, atomics that change
// nothing) only removes constraints, so no outcome is lost. The thread waits for ever here.
static void enter_header(Search *search, uint32_t thread, uint32_t header) {
  ThreadState *state = state_of(search, thread);
  const HeaderVisit *visit = &state->headers[header];
  if (!visit->count || visit->effects != state->effects ||
      !machine_iteration_is_pure(search, thread, visit->po_index) ||
      !live_registers_are_same(search, thread, visit)) {
    if (search->kernel && !(slots_are_on(search) && slots_has_live_taint(search, thread)))
      kernel_skip_rounds(search, thread, visit);
    machine_begin_iteration(search, thread);
    return;
  }
  set(search, &state->iteration, visit->po_index);
  if (visit->exchange == state->exchange)
    machine_finish_thread(search, thread, THREAD_AWAITING);
  else if (!kernel_poll(search, thread, (uint32_t)visit->exchange))
    machine_begin_iteration(search, thread);
}

void machine_begin_iteration(Search *search, uint32_t thread) {
  ThreadState *state = state_of(search, thread);
  HeaderVisit *visit = &state->headers[search->codes[thread].header_numbers[state->pc]];
  if (visit->count > search->options->unroll) {
    machine_finish_thread(search, thread, THREAD_CUT);
    return;
  }
  // A kernel's loop that depends on no choice runs as often as it runs.
  if (!search->kernel || visit->choices != state->choices)
    set(search, &visit->count, visit->count + 1);
  else if (visit->count == 0)
    set(search, &visit->count, 1);
  set(search, &visit->effects, state->effects);
  set(search, &visit->exchange, state->exchange);
  set(search, &visit->choices, state->choices);
  set(search, &visit->older_po_index, visit->po_index);
  set(search, &visit->po_index, state->po_index);
  for (uint32_t r = 0; r < search->codes[thread].thread->register_count; r++) {
    if (search->kernel)
      set(search, &visit->older[r], visit->registers[r]);
    set(search, &visit->registers[r], state->registers[r]);
  }
  if (search->symmetry)
    symmetry_note_header(search, thread, visit);
}

// A vote of the block is looked at when it is known what the thread votes (machine_comes_to_vote).
void machine_enter_instruction(Search *search, uint32_t thread) {
  const Code *code = &search->codes[thread];
  uint64_t pc = state_of(search, thread)->pc;
  uint32_t header = code->header_numbers[pc];
  if (header != UINT32_MAX && !(search->kernel && pc < code->thread->instruction_count &&
                                code_is_block_vote(&code->thread->instructions[pc])))
    enter_header(search, thread, header);
}

bool machine_comes_to_vote(Search *search, uint32_t thread) {
  const ThreadState *state = state_of(search, thread);
  uint32_t header = search->codes[thread].header_numbers[state->pc];
  if (header == UINT32_MAX)
    return true; // a guest: its loops are not in the code
  const HeaderVisit *visit = &state->headers[header];
  if (!visit->count || visit->po_index != state->po_index)
    enter_header(search, thread, header);
  return state->status == THREAD_RUNNING;
}
