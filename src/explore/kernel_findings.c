#include "explore/kernel_findings.h"

#include <string.h>

static const Instruction *instruction_at(const Search *search, RecordPlace place) {
  const Grid *grid = &search->program->grids[place.thread];
  const Thread *thread = &search->program->threads[grid->first_thread];
  if (place.instruction >= thread->instruction_count)
    return &thread->instructions[thread->instruction_count - 1];
  return &thread->instructions[place.instruction];
}

void kernel_note_inlining(DiagList *findings, Diag *diag, const Instruction *instruction) {
  for (const InlinedPlace *place = instruction->inlined; place; place = place->next)
    diag_note(findings, diag, place->span, place->function ? "%s is called here" : "inlined here",
              place->function);
}

const char *kernel_location_name(const Search *search, uint32_t event, Arena *arena) {
  return kernel_place_name(search, search->graph.events[event].location, arena);
}

const char *kernel_place_name(const Search *search, uint32_t number, Arena *arena) {
  const Location *location = &search->graph.locations[number];
  const Region *region = memory_find(search->program->memory, location->address, location->size);
  if (!region)
    return "memory";
  if (search->guests && region->size == location->size)
    return region->name;
  return arena_format(arena, "%s, byte %llu", region->name,
                      (unsigned long long)(location->address - region->address));
}

// --- races

static const Placement *placement_of(const Search *search, uint32_t event) {
  return &search->program->threads[search->graph.events[event].thread].place;
}

bool kernel_lacks_atomicity(const Search *search, uint32_t a, uint32_t b) {
  const Event *first = &search->graph.events[a], *second = &search->graph.events[b];
  const Placement *here = placement_of(search, a), *there = placement_of(search, b);
  return ((first->flags | second->flags) & EVENT_DEVICE_ONLY) &&
         !graph_is_scope_mutual(&search->graph, a, b) &&
         ir_scope_contains((Scope)first->scope, here, there) &&
         ir_scope_contains((Scope)second->scope, there, here);
}

const char *kernel_machine_reason(const Search *search, uint32_t a, uint32_t b, Arena *arena) {
  uint32_t event = search->graph.events[a].flags & EVENT_DEVICE_ONLY ? a : b;
  const Location *location = &search->graph.locations[search->graph.events[event].location];
  const Region *region = memory_find(search->program->memory, location->address, location->size);
  return machine_reason(search->program->machine, region->home, placement_of(search, event), arena);
}

static const Thread *thread_of(const Search *search, uint32_t event) {
  return &search->program->threads[search->graph.events[event].thread];
}

// Is the instruction in a loop, as a poll is?
static bool is_in_loop(const Search *search, uint32_t event) {
  const Event *accessed = &search->graph.events[event];
  const Thread *thread = search->codes[accessed->thread].thread;
  for (uint32_t i = accessed->instruction; i < thread->instruction_count; i++)
    if (thread->instructions[i].op == IR_BRANCH &&
        thread->instructions[i].target <= accessed->instruction)
      return true;
  return false;
}

static bool has_fence(const Search *search, uint32_t event) {
  const Graph *graph = &search->graph;
  BITS_EACH(other, graph_row(graph, graph->thread_events, graph->events[event].thread),
            graph->words)
  if (graph->events[other].kind == EVENT_FENCE)
    return true;
  return false;
}

// A flag that a thread polls and another writes, one of them by a plain access.
static bool is_plain_flag(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  if (graph->events[a].kind == graph->events[b].kind ||
      graph->events[a].thread == graph->events[b].thread)
    return false;
  uint32_t read = graph->events[a].kind == EVENT_READ ? a : b;
  return is_in_loop(search, read) && thread_of(search, a)->warp != thread_of(search, b)->warp;
}

// A write of one thread behind its access, and a read of the other before its own, of one location:
// a flag that was meant to order them.
static bool finds_flag(const Search *search, uint32_t from, uint32_t to, uint32_t *write,
                       uint32_t *read) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++) {
    const Event *flag = &graph->events[i];
    if (flag->kind != EVENT_WRITE || flag->location == graph->events[from].location ||
        flag->thread != graph->events[from].thread || flag->po_index < graph->events[from].po_index)
      continue;
    BITS_EACH(bit, graph_row(graph, graph->reads_at, flag->location), graph->words)
    if (graph->events[bit].thread == graph->events[to].thread &&
        graph->events[bit].po_index < graph->events[to].po_index) {
      *write = i;
      *read = (uint32_t)bit;
      return true;
    }
  }
  return false;
}

static RuleNumber flag_fault(const Search *search, uint32_t write, uint32_t read) {
  const Graph *graph = &search->graph;
  if (!event_is_strong(&graph->events[write]) || !event_is_strong(&graph->events[read]))
    return has_fence(search, write) && has_fence(search, read) ? RULE_FENCE_WITHOUT_FLAG
                                                               : RULE_PLAIN_FLAG;
  if (kernel_lacks_atomicity(search, write, read))
    return RULE_NOT_ATOMIC_HERE;
  if (!graph_is_scope_mutual(graph, write, read))
    return RULE_SCOPE_TOO_NARROW;
  if (bits_is_empty(graph_row(graph, graph->heads, write), graph->words))
    return RULE_RELEASE_MISSING;
  if (bits_is_empty(graph_row(graph, graph->lasts, read), graph->words))
    return RULE_ACQUIRE_MISSING;
  return RULE_NO_SYNCHRONISATION;
}

// The leaders of two blocks may speak for their threads: a barrier carries the order on.
static bool finds_leaders_flag(const Search *search, uint32_t a, uint32_t b, uint32_t *write,
                               uint32_t *read) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++) {
    if (graph->events[i].kind != EVENT_WRITE || !event_is_strong(&graph->events[i]) ||
        !graph_has(graph, graph->order_after, a, i))
      continue;
    BITS_EACH(bit, graph_row(graph, graph->reads_at, graph->events[i].location), graph->words)
    if (graph->events[bit].thread != graph->events[i].thread &&
        graph_has(graph, graph->order_after, (uint32_t)bit, b)) {
      *write = i;
      *read = (uint32_t)bit;
      return true;
    }
  }
  return false;
}

static bool races_between(const Search *search, uint32_t a, uint32_t b, bool blocks) {
  const Thread *first = thread_of(search, a), *second = thread_of(search, b);
  return blocks ? first->block != second->block : first->warp != second->warp;
}

RuleNumber kernel_classify_race(const Search *search, uint32_t a, uint32_t b) {
  const Thread *first = thread_of(search, a), *second = thread_of(search, b);
  uint32_t write, read;
  if (is_plain_flag(search, a, b))
    return has_fence(search, a) && has_fence(search, b) ? RULE_FENCE_WITHOUT_FLAG : RULE_PLAIN_FLAG;
  if (races_between(search, a, b, true) &&
      (finds_flag(search, a, b, &write, &read) || finds_flag(search, b, a, &write, &read) ||
       finds_leaders_flag(search, a, b, &write, &read) ||
       finds_leaders_flag(search, b, a, &write, &read)))
    return flag_fault(search, write, read);
  if (first->grid != second->grid)
    return first->place.is_host || second->place.is_host || first->place.gpu != second->place.gpu
               ? RULE_NO_SYNCHRONISATION
               : RULE_STREAM_ORDER_MISSING;
  if (!races_between(search, a, b, false))
    return RULE_WARP_SYNC_MISSING;
  return first->block == second->block ? RULE_BARRIER_MISSING : RULE_NO_SYNCHRONISATION;
}

// --- faults

static const char *fault_text(RuleNumber rule) {
  switch (rule) {
  case RULE_TRAP:
    return "an execution reaches this trap";
  case RULE_ASSERT:
    return "this assertion fails in an execution";
  case RULE_OUT_OF_BOUNDS:
    return "this access is outside of every buffer that the kernel was given";
  case RULE_MISALIGNED:
    return "the address of this access is not a multiple of its size";
  case RULE_UNINITIALISED:
    return "this reads memory that nothing has written";
  case RULE_BARRIER_DIVERGENCE:
    return "threads of one warp meet at different barriers: this one and another";
  case RULE_BARRIER_MISMATCH:
    return "threads meet at one barrier with different numbers of participants, or twice before it "
           "is complete";
  case RULE_USE_AFTER_EXIT:
    return "this accesses the shared memory of a block that has exited";
  case RULE_MANAGED_IN_USE:
    return "the host touches managed memory while a kernel may run on a device without "
           "concurrent-managed-access";
  case RULE_NC_LOAD_OF_WRITTEN_DATA:
    return "a read-only load of data that the same launch writes";
  default:
    return rule_get(rule).meaning;
  }
}

static const char *thread_at_fault(const Search *search, const Record *record) {
  for (uint32_t i = 0; i < search->kernel->fault_count; i++) {
    const Fault *fault = &search->kernel->faults[i];
    if (fault->rule == (RuleNumber)record->detail &&
        fault->place.instruction == record->first.instruction &&
        search->program->threads[fault->place.thread].grid == record->first.thread)
      return search->program->threads[fault->place.thread].name;
  }
  return "a thread";
}

// A write that is newer than what a strong read took, by another thread; EVENT_NONE: none.
static uint32_t find_newer(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[read];
  uint64_t source = graph->source[read];
  if (event->kind != EVENT_READ || (event->flags & EVENT_EAGER) || source == EVENT_NONE)
    return EVENT_NONE;
  const uint64_t *later = source == EVENT_INIT
                              ? graph_row(graph, graph->writes_at, event->location)
                              : graph_row(graph, graph->coherence_after, (uint32_t)source);
  BITS_EACH(write, later, graph->words)
  if (graph->events[write].thread != event->thread)
    return (uint32_t)write;
  return EVENT_NONE;
}

static const Instruction *instruction_of(const Search *search, uint32_t event) {
  const Event *made = &search->graph.events[event];
  return &search->codes[made->thread].thread->instructions[made->instruction];
}

// The reads that saw less than the newest value, each instruction once: the likely reason.
static void note_old_values(const Search *search, DiagList *findings, Diag *diag) {
  enum { MOST_NOTES = 4 };
  const Instruction *noted[MOST_NOTES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->graph.event_count && count < MOST_NOTES; i++) {
    uint32_t newer = find_newer(search, i);
    if (newer == EVENT_NONE)
      continue;
    const Instruction *read = instruction_of(search, i), *write = instruction_of(search, newer);
    bool is_new = true;
    for (uint32_t j = 0; j < count; j++)
      is_new = is_new && noted[j]->span.begin != read->span.begin;
    if (!is_new)
      continue;
    noted[count++] = read;
    diag_note(findings, diag, read->span, "%s reads an older value here: `%s`",
              search->program->threads[search->graph.events[i].thread].name, read->text);
    diag_note(findings, diag, write->span, "a newer one is written here: `%s`", write->text);
  }
}

void kernel_report_fault(const Search *search, const Record *record, DiagList *findings) {
  RuleNumber rule = (RuleNumber)record->detail;
  const Instruction *instruction = instruction_at(search, record->first);
  Diag *diag =
      diag_add(findings, rule_get(rule).severity, rule_id(rule), instruction->span, "%s: `%s`, %s",
               fault_text(rule), instruction->text, thread_at_fault(search, record));
  kernel_note_inlining(findings, diag, instruction);
  if (rule == RULE_TRAP || rule == RULE_ASSERT)
    note_old_values(search, findings, diag);
  if (record->second.thread == UINT32_MAX)
    return;
  const Instruction *other = instruction_at(search, record->second);
  diag_note(findings, diag, other->span, "the other one: `%s`", other->text);
}

void kernel_report_final(Search *search, DiagList *findings) {
  Span span = {0};
  const char *failure = kernel_find_failure(search, findings->arena, &span);
  if (!failure)
    return;
  Diag *diag = diag_add(findings, SEVERITY_ERROR, rule_id(RULE_ASSERT), span,
                        "an execution ends with wrong results: %s", failure);
  note_old_values(search, findings, diag);
}

// --- executions that get stuck

static bool is_stuck(const ThreadState *state) {
  return state->status >= THREAD_AT_BARRIER && state->status <= THREAD_AWAITING;
}

static const Instruction *wait_instruction(const Search *search, uint32_t thread) {
  const ThreadState *state = &search->threads[thread];
  const Graph *graph = &search->graph;
  const Instruction *instructions = search->codes[thread].thread->instructions;
  if (state->status == THREAD_AT_BARRIER)
    return &instructions[state->pc - 1];
  if (state->status != THREAD_AWAITING)
    return &instructions[state->pc];
  const Instruction *found = &instructions[state->pc];
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[event].kind == EVENT_READ && graph->events[event].po_index >= state->iteration)
    return &instructions[graph->events[event].instruction];
  return found;
}

static const char *wait_text(const ThreadState *state) {
  switch ((ThreadStatus)state->status) {
  case THREAD_AT_BARRIER:
    return "waits at a barrier that is never completed";
  case THREAD_AT_COLLECTIVE:
    return "waits for lanes of its warp that never come";
  case THREAD_AT_MBARRIER:
    return "waits for a phase of an mbarrier that never ends";
  case THREAD_AT_GRID:
    return "waits for a launch that never ends";
  default:
    return "waits in a loop for a value that never comes";
  }
}

// One line for each instruction at which threads wait.
static bool is_first_at(const Search *search, uint32_t thread) {
  for (uint32_t t = 0; t < thread; t++)
    if (is_stuck(&search->threads[t]) &&
        wait_instruction(search, t)->span.begin == wait_instruction(search, thread)->span.begin &&
        search->threads[t].status == search->threads[thread].status)
      return false;
  return true;
}

static uint32_t count_at(const Search *search, uint32_t thread) {
  uint32_t count = 0;
  for (uint32_t t = thread; t < search->program->thread_count; t++)
    count += is_stuck(&search->threads[t]) && wait_instruction(search, t)->span.begin ==
                                                  wait_instruction(search, thread)->span.begin;
  return count;
}

static const char *and_others(const Search *search, uint32_t thread, Arena *arena) {
  uint32_t others = count_at(search, thread) - 1;
  return others ? arena_format(arena, " (and %u others)", others) : "";
}

// Threads of a block that wait at a block barrier while others of it wait elsewhere, or threads of
// a warp at different barriers: a barrier in a branch.
static bool is_divergent(const Search *search) {
  for (uint32_t a = 0; a < search->program->thread_count; a++)
    for (uint32_t b = a + 1; b < search->program->thread_count; b++) {
      const ThreadState *first = &search->threads[a], *second = &search->threads[b];
      if (search->program->threads[a].block == search->program->threads[b].block &&
          first->status == THREAD_AT_BARRIER &&
          (second->status == THREAD_AT_BARRIER || second->status == THREAD_AT_COLLECTIVE) &&
          wait_instruction(search, a) != wait_instruction(search, b))
        return true;
    }
  return false;
}

static bool polls_plainly(const Search *search) {
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    const Instruction *instruction = wait_instruction(search, t);
    if (search->threads[t].status == THREAD_AWAITING && instruction->op == IR_LOAD &&
        instruction->sem == SEM_WEAK)
      return true;
  }
  return false;
}

void kernel_report_stuck(const Search *search, DiagList *findings) {
  Diag *diag = NULL;
  RuleNumber rule = is_divergent(search)    ? RULE_BARRIER_DIVERGENCE
                    : polls_plainly(search) ? RULE_HOISTABLE_POLL
                                            : RULE_DEADLOCK;
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    const ThreadState *state = &search->threads[t];
    if (!is_stuck(state) || !is_first_at(search, t))
      continue;
    const Instruction *instruction = wait_instruction(search, t);
    const char *text =
        arena_format(findings->arena, "%s%s %s: `%s`", search->program->threads[t].name,
                     and_others(search, t, findings->arena), wait_text(state), instruction->text);
    if (diag)
      diag_note(findings, diag, instruction->span, "%s", text);
    else
      diag = diag_add(findings, SEVERITY_ERROR, rule_id(rule), instruction->span, "%s", text);
    kernel_note_inlining(findings, diag, instruction);
  }
  if (diag)
    diag->reason = polls_plainly(search)
                       ? "a plain load need never see another value, and a compiler may read once"
                       : "no write that the threads are bound to see, and no arrival, is still to "
                         "come";
}
