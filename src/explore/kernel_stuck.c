// Findings of kernels that get stuck: who waits where, and for what.
#include "explore/kernel_findings.h"
#include "explore/kernel_witness.h"
#include "explore/witness.h"

static bool is_stuck(const ThreadState *state) {
  return state->status >= THREAD_AT_BARRIER && state->status <= THREAD_AWAITING;
}

// Is what was read the thread's own, as its variables in code that is not optimised?
static bool is_private(const Graph *graph, uint32_t read) {
  uint32_t location = graph->events[read].location;
  bool is_written = false;
  BITS_EACH(write, graph_row(graph, graph->writes_at, location), graph->words) {
    if (graph->events[write].thread != graph->events[read].thread)
      return false;
    is_written = true;
  }
  return is_written;
}

// The first read of the iteration that a waiting thread repeats, rather of what is not its own;
// EVENT_NONE: it reads nothing.
static uint32_t find_poll(const Search *search, uint32_t thread) {
  const ThreadState *state = &search->threads[thread];
  const Graph *graph = &search->graph;
  uint32_t own = EVENT_NONE;
  if (state->status != THREAD_AWAITING)
    return EVENT_NONE;
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words) {
    if (graph->events[event].kind != EVENT_READ || graph->events[event].po_index < state->iteration)
      continue;
    if (!is_private(graph, (uint32_t)event))
      return (uint32_t)event;
    if (own == EVENT_NONE)
      own = (uint32_t)event;
  }
  return own;
}

// A plain read before a loop that reads nothing, of what another thread writes: a compiler has
// taken the read out of the loop.
static uint32_t find_hoisted(const Search *search, uint32_t thread) {
  const Graph *graph = &search->graph;
  uint32_t last = EVENT_NONE;
  if (search->threads[thread].status != THREAD_AWAITING || find_poll(search, thread) != EVENT_NONE)
    return EVENT_NONE;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[bit].kind == EVENT_READ)
    last = (uint32_t)bit;
  if (last == EVENT_NONE || event_is_strong(&graph->events[last]))
    return EVENT_NONE;
  BITS_EACH(write, graph_row(graph, graph->writes_at, graph->events[last].location), graph->words)
  if (graph->events[write].thread != thread)
    return last;
  return EVENT_NONE;
}

static const Instruction *instruction_of(const Search *search, uint32_t event) {
  const Event *made = &search->graph.events[event];
  return &search->codes[made->thread].thread->instructions[made->instruction];
}

static const Instruction *wait_instruction(const Search *search, uint32_t thread) {
  const ThreadState *state = &search->threads[thread];
  const Instruction *instructions = search->codes[thread].thread->instructions;
  uint32_t poll = find_poll(search, thread);
  if (state->status == THREAD_AT_BARRIER)
    return &instructions[state->pc - 1];
  return poll == EVENT_NONE ? &instructions[state->pc] : instruction_of(search, poll);
}

static const char *poll_text(const Search *search, uint32_t thread, Arena *arena) {
  uint32_t poll = find_poll(search, thread);
  if (poll == EVENT_NONE)
    return find_hoisted(search, thread) == EVENT_NONE
               ? "waits in a loop that nothing ends"
               : "waits in a loop for a value that it has read before the loop";
  return arena_format(arena,
                      "waits in a loop for a value that never comes (it has last seen %s = %s)",
                      kernel_location_name(search, poll, arena),
                      kernel_print_value(search, search->graph.events[poll].location,
                                         search_event_value(search, poll), arena));
}

static const char *wait_text(const Search *search, uint32_t thread, Arena *arena) {
  switch ((ThreadStatus)search->threads[thread].status) {
  case THREAD_AT_BARRIER:
    return fault_wait_text(FAULT_WAIT_BARRIER);
  case THREAD_AT_COLLECTIVE:
    return fault_wait_text(FAULT_WAIT_LANES);
  case THREAD_AT_MBARRIER:
    return fault_wait_text(FAULT_WAIT_MBARRIER);
  case THREAD_AT_PRODUCT:
    return fault_wait_text(FAULT_WAIT_WARPGROUP);
  case THREAD_AT_GRID:
    return fault_wait_text(FAULT_WAIT_LAUNCH);
  default:
    return poll_text(search, thread, arena);
  }
}

// Do two threads of a block wait at one place, or two of any for the same word?
static bool wait_alike(const Search *search, uint32_t a, uint32_t b) {
  const Thread *first = &search->program->threads[a], *second = &search->program->threads[b];
  if (!is_stuck(&search->threads[a]) || !is_stuck(&search->threads[b]) ||
      search->threads[a].status != search->threads[b].status ||
      !fault_is_same_place(wait_instruction(search, a), wait_instruction(search, b)))
    return false;
  uint32_t poll = find_poll(search, a), other = find_poll(search, b);
  if (poll == EVENT_NONE || other == EVENT_NONE || first->block == second->block)
    return poll == other || first->block == second->block;
  return search->graph.events[poll].location == search->graph.events[other].location;
}

// One line for all threads that wait alike.
static bool is_first_at(const Search *search, uint32_t thread) {
  for (uint32_t t = 0; t < thread; t++)
    if (wait_alike(search, t, thread))
      return false;
  return true;
}

static uint32_t count_at(const Search *search, uint32_t thread) {
  uint32_t count = 0;
  for (uint32_t t = thread; t < search->program->thread_count; t++)
    count += wait_alike(search, thread, t);
  return count;
}

static const char *and_others(const Search *search, uint32_t thread, Arena *arena) {
  uint32_t others = count_at(search, thread) - 1;
  return others ? arena_format(arena, " (and %u others)", others) : "";
}

// Threads of a warp that wait at a barrier and elsewhere, or those of a block at a barrier of all
// its threads while others of it wait elsewhere: a barrier in a branch. Counted barriers are there
// for warps that do different things.
static bool wait_apart(const Search *search, uint32_t a, uint32_t b) {
  const ThreadState *first = &search->threads[a], *second = &search->threads[b];
  const Thread *threads = search->program->threads;
  if (threads[a].block != threads[b].block || first->status != THREAD_AT_BARRIER ||
      (second->status != THREAD_AT_BARRIER && second->status != THREAD_AT_COLLECTIVE))
    return false;
  const Instruction *here = wait_instruction(search, a), *there = wait_instruction(search, b);
  bool is_counted = fault_is_counted_barrier(here) || fault_is_counted_barrier(there);
  return here != there && (threads[a].warp == threads[b].warp || !is_counted);
}

static bool is_divergent(const Search *search) {
  for (uint32_t a = 0; a < search->program->thread_count; a++)
    for (uint32_t b = a + 1; b < search->program->thread_count; b++)
      if (wait_apart(search, a, b))
        return true;
  return false;
}

static bool polls_plainly(const Search *search) {
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    const Instruction *instruction = wait_instruction(search, t);
    if (search->threads[t].status == THREAD_AWAITING &&
        ((instruction->op == IR_LOAD && instruction->sem == SEM_WEAK) ||
         find_hoisted(search, t) != EVENT_NONE))
      return true;
  }
  return false;
}

// Threads that a block's barrier does not wait for any more.
static void note_exited(const Search *search, uint32_t thread, DiagList *findings, Diag *diag,
                        const Instruction *instruction) {
  uint32_t block = search->program->threads[thread].block;
  uint64_t exited = search->kernel->exited[block];
  if (search->threads[thread].status == THREAD_AT_BARRIER && exited)
    diag_note(findings, diag, instruction->span, "%llu of the block's %u threads have exited",
              (unsigned long long)exited, search->program->blocks[block].count);
}

static void note_hoisted(const Search *search, uint32_t thread, DiagList *findings, Diag *diag) {
  uint32_t read = find_hoisted(search, thread);
  if (read == EVENT_NONE)
    return;
  const Instruction *instruction = instruction_of(search, read);
  diag_note(findings, diag, instruction->span, "it is read once, here: `%s`", instruction->text);
}

// What the waiting thread has seen, and what it might have waited for.
static void view_wait(View *view, uint32_t thread) {
  const Graph *graph = &view->search->graph;
  uint32_t poll = find_poll(view->search, thread);
  if (poll == EVENT_NONE)
    poll = find_hoisted(view->search, thread);
  if (poll == EVENT_NONE) {
    if (graph->last_event[thread] != EVENT_NONE)
      view_add(view, (uint32_t)graph->last_event[thread]);
    return;
  }
  view_add_read(view, poll, EVENT_NONE);
  BITS_EACH(write, graph_row(graph, graph->writes_at, graph->events[poll].location), graph->words)
  view_add(view, (uint32_t)write);
}

static const char *stuck_reason(RuleNumber rule) {
  switch (rule) {
  case RULE_HOISTABLE_POLL:
    return "a plain load need never see another value, and a compiler may read once";
  case RULE_BARRIER_DIVERGENCE:
    return "the threads of a block have to come to the same barrier";
  default:
    return "no write that the threads are bound to see, and no arrival, is still to come";
  }
}

// A poll that races with writes of another size may see anything: the race is what is wrong, and
// the axioms say nothing of the wait (spec B.8).
static bool polls_mixed_sizes(const Search *search) {
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    uint32_t poll = is_stuck(&search->threads[t]) ? find_poll(search, t) : EVENT_NONE;
    if (poll != EVENT_NONE && kernel_has_mixed_rival(search, poll))
      return true;
  }
  return false;
}

void kernel_report_stuck(const Search *search, DiagList *findings) {
  Arena *arena = findings->arena;
  Diag *diag = NULL;
  View view = {.search = search, .arena = arena, .is_ordered = true};
  RuleNumber rule = is_divergent(search)    ? RULE_BARRIER_DIVERGENCE
                    : polls_plainly(search) ? RULE_HOISTABLE_POLL
                                            : RULE_DEADLOCK;
  enum { MOST_WAITS = 8 };
  uint32_t told = 0;
  if (rule == RULE_DEADLOCK && polls_mixed_sizes(search))
    return;
  for (uint32_t t = 0; t < search->program->thread_count && told < MOST_WAITS; t++) {
    if (!is_stuck(&search->threads[t]) || !is_first_at(search, t))
      continue;
    told++;
    const Instruction *instruction = wait_instruction(search, t);
    const char *text =
        arena_format(arena, "%s%s %s: `%s`", search->program->threads[t].name,
                     and_others(search, t, arena), wait_text(search, t, arena), instruction->text);
    if (diag)
      diag_note(findings, diag, instruction->span, "%s", text);
    else
      diag = diag_add(findings, SEVERITY_ERROR, rule_id(rule), instruction->span, "%s", text);
    fault_note_inlining(findings, diag, instruction);
    note_exited(search, t, findings, diag, instruction);
    note_hoisted(search, t, findings, diag);
    view_wait(&view, t);
  }
  if (!diag)
    return;
  diag->reason = stuck_reason(rule);
  if (search->options->want_witness && view.key_count)
    diag->witness = view_draw(&view, "execution that gets stuck", NULL);
}
