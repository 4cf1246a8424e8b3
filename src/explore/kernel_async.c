// Asynchronous copies, stores and reductions of kernels (spec A.6).
#include "explore/kernel.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

void kernel_append_copy(Search *search, Copy copy) {
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

bool kernel_order_issue(Search *search, uint32_t thread, uint32_t access) {
  uint64_t last = search->graph.last_event[thread];
  return last == EVENT_NONE || order_async(search, (uint32_t)last, access);
}

// An asynchronous reduction is an atomic whose result nobody gets (spec A.6).
static void make_reduction(Search *search, const Instruction *instruction, ValueId old,
                           Event *target) {
  target->flags |= EVENT_UPDATE;
  target->value = kernel_atomic_value(search, instruction, instruction->size, old, target->value);
}

static bool keep_updates_in_line(Search *search, uint32_t location, uint32_t write) {
  Graph *graph = &search->graph;
  search->update_base[write] = write; // it is put behind all others at once
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

static bool is_reduction(const Instruction *instruction) {
  return instruction->op == IR_BULK_COPY && instruction->size != 0;
}

// Where a piece was found; `from` EVENT_NONE: what is not read of the source is zero.
typedef struct Found {
  uint32_t from, to;
  ValueId value;
  ValueId old; // of a reduction: what it finds
} Found;

static bool add_source(Search *search, uint32_t thread, const Instruction *instruction,
                       const Piece *piece, const Found *found, uint32_t *read) {
  Event source = kernel_access_event(search, thread, instruction, EVENT_READ, found->from);
  source.sem = SEM_WEAK;
  source.scope = SCOPE_NONE;
  source.proxy = (uint8_t)piece->proxy;
  source.flags |= EVENT_ASYNC | EVENT_ISSUED;
  if (!search->options->explore_races)
    source.flags |= EVENT_EAGER;
  source.value = found->value;
  return search_add_event(search, source, read) && kernel_order_issue(search, thread, *read);
}

static bool add_piece(Search *search, uint32_t thread, const Instruction *instruction,
                      const Piece *piece, const Found *found) {
  uint32_t read, write;
  bool is_read = found->from != EVENT_NONE;
  CopyKind kind = piece->is_bulk ? COPY_BULK : COPY_ASYNC;
  uint64_t group = search->kernel->groups[kind][thread];
  Event target = kernel_access_event(search, thread, instruction, EVENT_WRITE, found->to);
  target.sem = SEM_WEAK;
  target.scope = SCOPE_NONE;
  target.proxy = (uint8_t)piece->proxy;
  target.flags |= EVENT_ASYNC | EVENT_ISSUED;
  target.value = found->value;
  if (is_reduction(instruction)) {
    target.sem = SEM_RELAXED;
    target.scope = instruction->scope == SCOPE_NONE ? SCOPE_SYS : instruction->scope;
    make_reduction(search, instruction, found->old, &target);
  }
  if (is_read && !add_source(search, thread, instruction, piece, found, &read))
    return false;
  if (is_read ? !add_target(search, target, read, &write)
              : !search_add_event(search, target, &write))
    return false;
  if (!kernel_order_issue(search, thread, write) || (is_read && !order_async(search, read, write)))
    return false;
  if (is_reduction(instruction) && !keep_updates_in_line(search, found->to, write))
    return false;
  if (is_read)
    kernel_append_copy(search, (Copy){thread, read, true, kind, group});
  kernel_append_copy(search, (Copy){thread, write, false, kind, group});
  return true;
}

// Finds both places of a piece. *is_done false: the thread waits; it is at fault if `to` is
// EVENT_NONE then.
static bool find_piece(Search *search, uint32_t thread, const Instruction *instruction,
                       const Piece *piece, Found *found, bool *is_done) {
  *found = (Found){EVENT_NONE, EVENT_NONE, values_constant(&search->values, 0), VALUE_NONE};
  *is_done = true;
  if (piece->is_read) {
    if (!kernel_locate(search, thread, instruction, &piece->from, piece->from_offset,
                       piece->from_space, piece->bytes, &found->from, is_done))
      return false;
    if (!*is_done || found->from == EVENT_NONE)
      return true;
  }
  if (!kernel_locate(search, thread, instruction, &piece->to, piece->to_offset, piece->to_space,
                     piece->bytes, &found->to, is_done))
    return false;
  if (!*is_done || found->to == EVENT_NONE || !piece->is_read)
    return true;
  if (!kernel_order_fences(search, thread, found->from))
    return false;
  *is_done = kernel_settle_read(search, thread, found->from, &found->value) &&
             (!is_reduction(instruction) ||
              kernel_find_updated(search, thread, found->to,
                                  kernel_newest_update(search, found->to), &found->old));
  return true;
}

// All pieces are found before the first one is added: the thread may have to wait for any of them.
bool kernel_copy_pieces(Search *search, uint32_t thread, const Instruction *instruction,
                        const Piece *pieces, uint32_t count, bool *is_done) {
  Found found;
  for (uint32_t i = 0; i < count; i++) {
    if (!find_piece(search, thread, instruction, &pieces[i], &found, is_done))
      return false;
    if (!*is_done || found.to == EVENT_NONE)
      return true;
  }
  for (uint32_t i = 0; i < count; i++)
    if (!find_piece(search, thread, instruction, &pieces[i], &found, is_done) ||
        !add_piece(search, thread, instruction, &pieces[i], &found))
      return false;
  return true;
}

// Copies `size` bytes, of which the first `given` are read, in pieces as the template says.
static bool copy_bytes(Search *search, uint32_t thread, const Instruction *instruction,
                       Piece template, uint64_t size, uint64_t given, bool *is_done) {
  enum { MOST_PIECES = 1 << 16 };
  if (size / template.bytes > MOST_PIECES) {
    search_halt(search, STOP_CAPACITY);
    return false;
  }
  uint32_t count = (uint32_t)((size + template.bytes - 1) / template.bytes);
  ArenaMark mark = arena_mark(search->temporary);
  Piece *pieces = ARENA_ARRAY(search->temporary, Piece, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    pieces[i] = template;
    pieces[i].from_offset += (int64_t)i * template.bytes;
    pieces[i].to_offset += (int64_t)i * template.bytes;
    pieces[i].is_read = (uint64_t)i * template.bytes < given;
  }
  bool is_consistent = kernel_copy_pieces(search, thread, instruction, pieces, count, is_done);
  arena_reset(search->temporary, mark);
  return is_consistent;
}

bool kernel_copy(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done) {
  Piece piece = {.to = instruction->address,
                 .to_offset = instruction->offset,
                 .to_space = SPACE_SHARED,
                 .from = instruction->src[0],
                 .from_offset = instruction->src[1].constant,
                 .from_space = SPACE_GLOBAL,
                 .bytes = KERNEL_COPY_BYTES,
                 .proxy = PROXY_GENERIC};
  uint64_t size = (uint64_t)instruction->src[2].constant, given = size;
  if (instruction->src[3].kind != OPERAND_NONE) {
    *is_done = kernel_number(search, thread, &instruction->src[3], &given);
    if (!*is_done)
      return true;
    if (given % KERNEL_COPY_BYTES)
      piece.bytes = 1;
  }
  return copy_bytes(search, thread, instruction, piece, size, given, is_done);
}

// The completion of a bulk copy is a proxy fence behind its writes (spec A.6).
bool kernel_complete_bulk(Search *search, uint32_t thread, uint64_t first_copy, Mbarrier *barrier,
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
  kernel_add_arrival(search, barrier, fence, fence);
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

bool kernel_find_barrier(Search *search, uint32_t thread, const Instruction *instruction,
                         Mbarrier **barrier, bool *is_done) {
  int64_t offset = instruction->op == IR_TENSOR_COPY ? 0 : instruction->src[4].constant;
  *barrier = NULL;
  return instruction->src[2].kind == OPERAND_NONE ||
         find_barrier(search, thread, instruction, &instruction->src[2], offset, SPACE_SHARED,
                      barrier, is_done);
}

bool kernel_bulk_copy(Search *search, uint32_t thread, const Instruction *instruction,
                      bool *is_done) {
  Piece piece = {.to = instruction->address,
                 .to_offset = instruction->offset,
                 .to_space = (Space)instruction->space,
                 .from = instruction->src[0],
                 .from_offset = instruction->src[3].constant,
                 .from_space = (Space)instruction->conversion,
                 .bytes = instruction->size ? instruction->size : KERNEL_COPY_BYTES,
                 .proxy = PROXY_ASYNC,
                 .is_bulk = true};
  Mbarrier *barrier;
  uint64_t size, first = search->kernel->copy_count;
  *is_done = kernel_number(search, thread, &instruction->src[1], &size);
  if (!*is_done)
    return true;
  if (!kernel_find_barrier(search, thread, instruction, &barrier, is_done))
    return false;
  *is_done = *is_done && !(barrier && kernel_holds_back(search, thread, barrier));
  if (!*is_done)
    return true;
  if (!copy_bytes(search, thread, instruction, piece, size, size, is_done))
    return false;
  return !*is_done || kernel_complete_bulk(search, thread, first, barrier, size);
}

// --- st.async and red.async

// The store is ordered behind what the thread did before; its completion counts for the mbarrier,
// and tells of the store alone.
bool kernel_store_async(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done) {
  Mbarrier *barrier;
  uint32_t location, write;
  if (!kernel_find_barrier(search, thread, instruction, &barrier, is_done))
    return false;
  if (!*is_done || !barrier)
    return true;
  *is_done = !kernel_holds_back(search, thread, barrier);
  if (!*is_done)
    return true;
  if (!kernel_locate(search, thread, instruction, &instruction->address, instruction->offset,
                     (Space)instruction->space, instruction->size, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  // What is ordered before it later would not be carried on to accesses behind it.
  *is_done = kernel_is_settled(search, thread);
  if (!*is_done)
    return true;
  Event event = kernel_access_event(search, thread, instruction, EVENT_WRITE, location);
  event.flags |= EVENT_ASYNC | EVENT_ISSUED;
  event.value = kernel_value(search, thread, &instruction->src[0]);
  ValueId old;
  if (instruction->atom != ATOM_EXCH) {
    *is_done =
        kernel_find_updated(search, thread, location, kernel_newest_update(search, location), &old);
    if (!*is_done)
      return true;
    make_reduction(search, instruction, old, &event);
  }
  if (!search_add_event(search, event, &write) || !kernel_order_issue(search, thread, write) ||
      (instruction->atom != ATOM_EXCH && !keep_updates_in_line(search, location, write)))
    return false;
  kernel_add_arrival(search, barrier, write, write);
  set(search, &barrier->transaction, barrier->transaction - instruction->size);
  return kernel_try_complete(search, barrier, thread);
}

// --- waiting for groups

// Orders the copies of all groups but the newest `left` before `event`.
static bool await_groups(Search *search, uint32_t thread, bool is_bulk, bool only_reads,
                         uint64_t limit, uint32_t event) {
  const Kernel *kernel = search->kernel;
  for (uint32_t i = 0; i < kernel->copy_count; i++) {
    const Copy *copy = &kernel->copies[i];
    if (copy->thread == thread && copy->kind == (is_bulk ? COPY_BULK : COPY_ASYNC) &&
        copy->group < limit && (!only_reads || copy->is_read) &&
        !order_async(search, copy->event, event))
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
  uint64_t committed = search->kernel->groups[is_bulk ? COPY_BULK : COPY_ASYNC][thread];
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
  *is_done = !kernel_holds_back(search, thread, barrier);
  if (!*is_done)
    return true;
  if (!kernel_add_meeting(search, thread, NULL, 0, &event) ||
      !await_groups(search, thread, false, false, UINT64_MAX, event))
    return false;
  kernel_add_arrival(search, barrier, event, event);
  // Without .noinc the arrival is one that the count did not know of.
  if (instruction->compare)
    set(search, &barrier->pending, barrier->pending - 1);
  return kernel_try_complete(search, barrier, thread);
}
