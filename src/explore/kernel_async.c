// mbarriers and asynchronous copies of kernels (spec A.5, A.6).
#include "explore/kernel.h"

#include <string.h>

enum { COPY_PIECE = 4 };

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

// --- mbarrier objects

static Mbarrier *find_mbarrier(const Search *search, uint64_t address) {
  for (uint32_t i = 0; i < search->kernel->mbarrier_count; i++)
    if (search->kernel->mbarriers[i].address == address)
      return &search->kernel->mbarriers[i];
  return NULL;
}

enum { MOST_MBARRIERS = 256 };

static Mbarrier *add_mbarrier(Search *search, uint64_t address) {
  Kernel *kernel = search->kernel;
  if (kernel->mbarrier_count == MOST_MBARRIERS) {
    search->has_overflowed = true;
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

static bool add_arrival(Search *search, Mbarrier *barrier, uint32_t event) {
  Kernel *kernel = search->kernel;
  uint32_t i = (uint32_t)kernel->mbarrier_arrival_count;
  if (i == kernel->mbarrier_arrival_capacity)
    kernel->mbarrier_arrivals =
        array_grow(search->arena, kernel->mbarrier_arrivals, i, &kernel->mbarrier_arrival_capacity,
                   sizeof *kernel->mbarrier_arrivals);
  kernel->mbarrier_arrivals[i] = (MbarrierArrival){event, (uint32_t)barrier->newest};
  set(search, &kernel->mbarrier_arrival_count, i + 1);
  set(search, &barrier->newest, i + 1);
  return true;
}

// The transition to the next phase, if nothing is pending any more.
static bool try_complete(Search *search, Mbarrier *barrier, uint32_t thread) {
  Kernel *kernel = search->kernel;
  uint32_t meeting;
  if (!barrier->is_live || barrier->pending || barrier->transaction)
    return true;
  if (!kernel_add_meeting(search, thread, NULL, 0, &meeting))
    return false;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->mbarrier_arrivals[i - 1].older)
    if (!graph_add_order(&search->graph, SYNC_BARRIER, kernel->mbarrier_arrivals[i - 1].event,
                         meeting))
      return false;
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
  write.value = values_constant(&search->values, (int64_t)count);
  if (!search_add_event(search, write, &event))
    return false;
  Mbarrier *barrier = find_mbarrier(search, address);
  if (!barrier)
    barrier = add_mbarrier(search, address);
  if (!barrier)
    return false;
  bool is_init = instruction->mbarrier == MBARRIER_INIT;
  set(search, &barrier->is_live, is_init);
  set(search, &barrier->expected, count);
  set(search, &barrier->pending, count);
  set(search, &barrier->transaction, 0);
  set(search, &barrier->phase, 0);
  set(search, &barrier->newest, 0);
  set(search, &barrier->completion, 0);
  return true;
}

static bool arrive_at(Search *search, uint32_t thread, const Instruction *instruction,
                      uint32_t location, Mbarrier *barrier, const uint64_t *numbers) {
  uint32_t event;
  if (!touch(search, thread, instruction, location, &event))
    return false;
  set(search, &search->threads[thread].effects, search->threads[thread].effects + 1);
  kernel_set_register(search, thread, instruction->dst,
                      values_constant(&search->values, (int64_t)barrier->phase));
  switch ((MbarrierOp)instruction->mbarrier) {
  case MBARRIER_EXPECT:
    set(search, &barrier->transaction, barrier->transaction + numbers[0]);
    return true;
  case MBARRIER_COMPLETE:
    set(search, &barrier->transaction, barrier->transaction - numbers[0]);
    return try_complete(search, barrier, thread);
  case MBARRIER_DROP:
    set(search, &barrier->expected, barrier->expected - numbers[0]);
    break;
  default:
    break;
  }
  set(search, &barrier->transaction, barrier->transaction + numbers[1]);
  if (numbers[0] > barrier->pending) {
    kernel_add_fault(search, thread, RULE_BARRIER_MISMATCH);
    return true;
  }
  set(search, &barrier->pending, barrier->pending - numbers[0]);
  if (instruction->sem != SEM_RELAXED && !add_arrival(search, barrier, event))
    return false;
  return try_complete(search, barrier, thread);
}

static bool is_test(const Instruction *instruction) {
  return instruction->mbarrier == MBARRIER_TEST_STATE ||
         instruction->mbarrier == MBARRIER_TEST_PARITY;
}

static void wait_for(Search *search, uint32_t thread, const Mbarrier *barrier) {
  set(search, &search->threads[thread].status, THREAD_AT_MBARRIER);
  set(search, &search->threads[thread].mbarrier, barrier ? barrier->address : 0);
}

// The arrivals of the phase that is over, as far as they and the wait are in each other's scope
// (spec A.5); completions of copies reach every wait.
static bool join_arrivals(Search *search, const Mbarrier *barrier, uint32_t wait) {
  const Kernel *kernel = search->kernel;
  for (uint32_t i = (uint32_t)barrier->previous; i; i = kernel->mbarrier_arrivals[i - 1].older) {
    uint32_t arrival = kernel->mbarrier_arrivals[i - 1].event;
    bool is_copy = search->graph.events[arrival].kind != EVENT_READ;
    if ((is_copy || graph_is_scope_mutual(&search->graph, arrival, wait)) &&
        !graph_order_sets(&search->graph, &arrival, 1, &wait, 1))
      return false;
  }
  return true;
}

// Has the thread learnt already that the phase before is over?
static bool knows_completion(const Search *search, uint32_t thread, const Mbarrier *barrier) {
  const Graph *graph = &search->graph;
  uint64_t last = graph->last_event[thread];
  return barrier->completion && last != EVENT_NONE &&
         graph_has(graph, graph->order_before, (uint32_t)last, (uint32_t)barrier->completion - 1);
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
  bool is_over = instruction->mbarrier == MBARRIER_TEST_PARITY
                     ? (barrier->phase & 1) != (wanted & 1)
                     : barrier->phase != wanted;
  if (!is_over || !knows_completion(search, thread, barrier)) {
    kernel_note_test(search, thread, instruction);
    bool fails = kernel_wants_failure(search, thread, instruction, is_done);
    if (!*is_done)
      return true;
    if (fails)
      return fail_test(search, thread, instruction, location);
  }
  *is_done = is_over;
  if (!is_over) {
    wait_for(search, thread, barrier);
    return true;
  }
  if (!touch(search, thread, instruction, location, &event))
    return false;
  kernel_set_register(search, thread, instruction->dst, values_constant(&search->values, 1));
  return instruction->sem == SEM_RELAXED || join_arrivals(search, barrier, event);
}

static bool run_mbarrier(Search *search, uint32_t thread, const Instruction *instruction,
                         uint32_t location, const uint64_t *numbers, bool *is_done) {
  uint64_t address = search->graph.locations[location].address;
  if (instruction->mbarrier <= MBARRIER_INVALIDATE)
    return init_mbarrier(search, thread, instruction, location, numbers[0]);
  Mbarrier *barrier = find_mbarrier(search, address);
  if (!barrier || !barrier->is_live) {
    // Somebody may still initialise it; that it is not ordered then is a race.
    *is_done = false;
    set(search, &search->threads[thread].status, THREAD_AT_MBARRIER);
    set(search, &search->threads[thread].mbarrier, address);
    return true;
  }
  if (is_test(instruction))
    return test_phase(search, thread, instruction, location, barrier, numbers[0], is_done);
  return arrive_at(search, thread, instruction, location, barrier, numbers);
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
  if (!kernel_locate(search, thread, instruction, &instruction->address, instruction->offset,
                     (Space)instruction->space, instruction->size, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  return run_mbarrier(search, thread, instruction, location, numbers, is_done);
}

// Can the thread's instruction do more than when it began to wait?
bool kernel_mbarrier_is_ready(const Search *search, uint32_t thread) {
  const Mbarrier *barrier = find_mbarrier(search, search->threads[thread].mbarrier);
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
  return instruction->mbarrier == MBARRIER_TEST_PARITY
             ? (barrier->phase & 1) != ((uint64_t)wanted & 1)
             : barrier->phase != (uint64_t)wanted;
}

// --- copies in pieces

typedef struct Pieces {
  Operand to, from;
  int64_t to_offset, from_offset;
  Space to_space, from_space;
  uint64_t size;
  Proxy proxy;
  bool is_bulk;
} Pieces;

static void append_copy(Search *search, Copy copy) {
  Kernel *kernel = search->kernel;
  uint32_t i = (uint32_t)kernel->copy_count;
  if (i == kernel->copy_capacity)
    kernel->copies = array_grow(search->arena, kernel->copies, i, &kernel->copy_capacity,
                                sizeof *kernel->copies);
  kernel->copies[i] = copy;
  set(search, &kernel->copy_count, i + 1);
}

static bool order_async(Search *search, uint32_t from, uint32_t to) {
  return graph_add_order(&search->graph, SYNC_ASYNC, from, to);
}

// cp.reduce.async.bulk: each element is an atomic whose result nobody gets (spec A.6).
static void make_reduction(Search *search, const Instruction *instruction, uint32_t location,
                           Event *target) {
  const Graph *graph = &search->graph;
  uint32_t newest = kernel_newest_update(search, location);
  ValueId old = newest == EVENT_NONE
                    ? values_constant(&search->values, graph->locations[location].initial)
                    : graph->events[newest].value;
  target->sem = SEM_RELAXED;
  target->scope = SCOPE_SYS;
  target->flags |= EVENT_UPDATE;
  target->value = kernel_atomic_value(search, instruction, COPY_PIECE, old, target->value);
}

static bool keep_updates_in_line(Search *search, uint32_t location, uint32_t write) {
  Graph *graph = &search->graph;
  BITS_EACH(other, graph_row(graph, graph->writes_at, location), graph->words)
  if (other != write && !graph_has(graph, graph->coherence_after, (uint32_t)other, write) &&
      !graph_has(graph, graph->coherence_after, write, (uint32_t)other) &&
      !graph_add_coherence(graph, (uint32_t)other, write))
    return false;
  return true;
}

// What is copied is what the read of the source gets, which may be open still.
static bool add_target(Search *search, Event target, uint32_t read, uint32_t *write) {
  if (!(search->graph.events[read].flags & EVENT_EAGER))
    target.value = values_add(&search->values, (Value){.kind = VALUE_READ, .event = read});
  return search_add_event(search, target, write);
}

static bool add_piece(Search *search, uint32_t thread, const Instruction *instruction,
                      const Pieces *pieces, uint32_t from, uint32_t to, ValueId value) {
  uint32_t read, write;
  uint64_t last = search->graph.last_event[thread];
  Event source = kernel_access_event(search, thread, instruction, EVENT_READ, from);
  Event target = kernel_access_event(search, thread, instruction, EVENT_WRITE, to);
  source.sem = target.sem = SEM_WEAK;
  source.scope = target.scope = SCOPE_NONE;
  source.proxy = target.proxy = (uint8_t)pieces->proxy;
  source.flags |= EVENT_ASYNC;
  if (!search->options->explore_races)
    source.flags |= EVENT_EAGER;
  target.flags |= EVENT_ASYNC;
  source.value = target.value = value;
  if (instruction->alu)
    make_reduction(search, instruction, to, &target);
  if (!search_add_event(search, source, &read) ||
      (last != EVENT_NONE && !order_async(search, (uint32_t)last, read)) ||
      !add_target(search, target, read, &write) || !order_async(search, read, write))
    return false;
  if (instruction->alu && !keep_updates_in_line(search, to, write))
    return false;
  uint64_t *groups = pieces->is_bulk ? search->kernel->bulk_groups : search->kernel->copy_groups;
  append_copy(search, (Copy){thread, read, true, pieces->is_bulk, groups[thread]});
  append_copy(search, (Copy){thread, write, false, pieces->is_bulk, groups[thread]});
  return true;
}

static bool add_pieces(Search *search, uint32_t thread, const Instruction *instruction,
                       const Pieces *pieces, bool *is_done) {
  for (uint64_t i = 0; i < pieces->size; i += COPY_PIECE) {
    uint32_t from, to;
    ValueId value;
    if (!kernel_locate(search, thread, instruction, &pieces->from, pieces->from_offset + (int64_t)i,
                       pieces->from_space, COPY_PIECE, &from, is_done) ||
        (*is_done && from != EVENT_NONE &&
         !kernel_locate(search, thread, instruction, &pieces->to, pieces->to_offset + (int64_t)i,
                        pieces->to_space, COPY_PIECE, &to, is_done)))
      return false;
    if (!*is_done || from == EVENT_NONE || to == EVENT_NONE)
      return true;
    if (!kernel_order_fences(search, thread, from))
      return false;
    *is_done = kernel_settle_read(search, thread, from, &value);
    if (!*is_done)
      return true;
    if (!add_piece(search, thread, instruction, pieces, from, to, value))
      return false;
  }
  return true;
}

bool kernel_copy(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done) {
  Pieces pieces = {.to = instruction->address,
                   .to_offset = instruction->offset,
                   .to_space = SPACE_SHARED,
                   .from = instruction->src[0],
                   .from_offset = instruction->src[1].constant,
                   .from_space = SPACE_GLOBAL,
                   .size = (uint64_t)instruction->src[2].constant,
                   .proxy = PROXY_GENERIC};
  return add_pieces(search, thread, instruction, &pieces, is_done);
}

// The completion of a bulk copy is a proxy fence behind its writes (spec A.6).
static bool complete_bulk(Search *search, uint32_t thread, uint64_t first_copy, Mbarrier *barrier,
                          uint64_t bytes) {
  uint32_t fence;
  Event event = {
      .kind = EVENT_PROXY_FENCE, .proxy = PROXY_ASYNC, .thread = thread, .flags = EVENT_ASYNC};
  if (!search_add_event(search, event, &fence))
    return false;
  for (uint64_t i = first_copy; i < search->kernel->copy_count; i++)
    if (!order_async(search, search->kernel->copies[i].event, fence))
      return false;
  if (!barrier)
    return true;
  if (!add_arrival(search, barrier, fence))
    return false;
  set(search, &barrier->transaction, barrier->transaction - bytes);
  return try_complete(search, barrier, thread);
}

static bool find_bulk_barrier(Search *search, uint32_t thread, const Instruction *instruction,
                              Mbarrier **barrier, bool *is_done) {
  uint32_t location;
  *barrier = NULL;
  if (instruction->src[2].kind == OPERAND_NONE)
    return true;
  if (!kernel_locate(search, thread, instruction, &instruction->src[2],
                     instruction->src[4].constant, SPACE_SHARED, 8, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  *barrier = find_mbarrier(search, search->graph.locations[location].address);
  if (!*barrier || !(*barrier)->is_live) {
    *is_done = false;
    wait_for(search, thread, NULL);
    set(search, &search->threads[thread].mbarrier, search->graph.locations[location].address);
  }
  return true;
}

bool kernel_bulk_copy(Search *search, uint32_t thread, const Instruction *instruction,
                      bool *is_done) {
  Pieces pieces = {.to = instruction->address,
                   .to_offset = instruction->offset,
                   .to_space = (Space)instruction->space,
                   .from = instruction->src[0],
                   .from_offset = instruction->src[3].constant,
                   .from_space = (Space)instruction->conversion,
                   .proxy = PROXY_ASYNC,
                   .is_bulk = true};
  Mbarrier *barrier;
  *is_done = kernel_number(search, thread, &instruction->src[1], &pieces.size);
  if (!*is_done)
    return true;
  if (!find_bulk_barrier(search, thread, instruction, &barrier, is_done))
    return false;
  if (!*is_done)
    return true;
  uint64_t first = search->kernel->copy_count;
  if (!add_pieces(search, thread, instruction, &pieces, is_done))
    return false;
  return !*is_done || complete_bulk(search, thread, first, barrier, pieces.size);
}

// --- waiting for groups

static uint64_t *groups_of(const Search *search, uint32_t thread, bool is_bulk) {
  return is_bulk ? &search->kernel->bulk_groups[thread] : &search->kernel->copy_groups[thread];
}

// Orders the copies of all groups but the newest `left` before `event`.
static bool await_groups(Search *search, uint32_t thread, bool is_bulk, bool only_reads,
                         uint64_t limit, uint32_t event) {
  const Kernel *kernel = search->kernel;
  for (uint32_t i = 0; i < kernel->copy_count; i++) {
    const Copy *copy = &kernel->copies[i];
    if (copy->thread == thread && copy->is_bulk == is_bulk && copy->group < limit &&
        (!only_reads || copy->is_read) && !order_async(search, copy->event, event))
      return false;
  }
  return true;
}

bool kernel_wait_copies(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done) {
  bool is_bulk = instruction->op == IR_BULK_WAIT;
  uint64_t left;
  uint32_t event;
  *is_done = kernel_number(search, thread, &instruction->src[0], &left);
  if (!*is_done)
    return true;
  uint64_t committed = *groups_of(search, thread, is_bulk);
  // cp.async.wait_all also waits for what was not committed.
  uint64_t limit = left == (uint64_t)-1 ? UINT64_MAX : committed > left ? committed - left : 0;
  Event wait = {.kind = is_bulk ? EVENT_PROXY_FENCE : EVENT_BARRIER,
                .proxy = is_bulk ? PROXY_ASYNC : PROXY_GENERIC,
                .thread = thread};
  return search_add_event(search, wait, &event) &&
         await_groups(search, thread, is_bulk, is_bulk && instruction->compare, limit, event);
}

bool kernel_copy_arrive(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done) {
  uint32_t location, event;
  if (!kernel_locate(search, thread, instruction, &instruction->address, instruction->offset,
                     (Space)instruction->space, 8, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  Mbarrier *barrier = find_mbarrier(search, search->graph.locations[location].address);
  if (!barrier || !barrier->is_live) {
    *is_done = false;
    wait_for(search, thread, NULL);
    set(search, &search->threads[thread].mbarrier, search->graph.locations[location].address);
    return true;
  }
  if (!kernel_add_meeting(search, thread, NULL, 0, &event) ||
      !await_groups(search, thread, false, false, UINT64_MAX, event) ||
      !add_arrival(search, barrier, event))
    return false;
  // Without .noinc the arrival is one that the count did not know of.
  if (instruction->compare)
    set(search, &barrier->pending, barrier->pending - 1);
  return try_complete(search, barrier, thread);
}
