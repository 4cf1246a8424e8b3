// Asynchronous copies, stores and reductions of kernels (spec A.6).
#include "explore/kernel.h"

enum { COPY_PIECE = 4 };

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
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
  if (!kernel_add_arrival(search, barrier, fence))
    return false;
  set(search, &barrier->transaction, barrier->transaction - bytes);
  return kernel_try_complete(search, barrier, thread);
}

// The mbarrier at an address; *is_done false: the thread waits until it is initialised.
static bool find_barrier(Search *search, uint32_t thread, const Instruction *instruction,
                         const Operand *base, int64_t offset, Space space, Mbarrier **barrier,
                         bool *is_done) {
  uint32_t location;
  *barrier = NULL;
  if (!kernel_locate(search, thread, instruction, base, offset, space, 8, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  uint64_t address = search->graph.locations[location].address;
  *barrier = kernel_find_mbarrier(search, address);
  if (*barrier && (*barrier)->is_live)
    return true;
  *is_done = false;
  kernel_wait_for_mbarrier(search, thread, address);
  return true;
}

static bool find_operand_barrier(Search *search, uint32_t thread, const Instruction *instruction,
                                 Mbarrier **barrier, bool *is_done) {
  *barrier = NULL;
  return instruction->src[2].kind == OPERAND_NONE ||
         find_barrier(search, thread, instruction, &instruction->src[2],
                      instruction->src[4].constant, SPACE_SHARED, barrier, is_done);
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
  if (!find_operand_barrier(search, thread, instruction, &barrier, is_done))
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
  uint32_t event;
  Mbarrier *barrier;
  if (!find_barrier(search, thread, instruction, &instruction->address, instruction->offset,
                    (Space)instruction->space, &barrier, is_done))
    return false;
  if (!*is_done || !barrier)
    return true;
  if (!kernel_add_meeting(search, thread, NULL, 0, &event) ||
      !await_groups(search, thread, false, false, UINT64_MAX, event) ||
      !kernel_add_arrival(search, barrier, event))
    return false;
  // Without .noinc the arrival is one that the count did not know of.
  if (instruction->compare)
    set(search, &barrier->pending, barrier->pending - 1);
  return kernel_try_complete(search, barrier, thread);
}
