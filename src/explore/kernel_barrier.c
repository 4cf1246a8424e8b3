// CTA and cluster barriers of kernels (spec A.4, F.2).
#include "explore/kernel.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

bool kernel_add_meeting(Search *search, uint32_t thread, const uint32_t *from, uint32_t count,
                        uint32_t *meeting) {
  Event event = {.kind = EVENT_BARRIER, .thread = thread, .flags = EVENT_ASYNC};
  if (!search_add_event(search, event, meeting))
    return false;
  return graph_order_sets(&search->graph, from, count, meeting, 1);
}

static KernelBarrier *barrier_of(const Search *search, uint32_t block, uint32_t id) {
  return &search->kernel->barriers[block * BLOCK_BARRIERS + id];
}

static uint32_t append(Search *search, KernelBarrier *barrier, KernelArrival arrival) {
  Kernel *kernel = search->kernel;
  uint32_t i = (uint32_t)kernel->arrival_count;
  if (i == kernel->arrival_capacity)
    kernel->arrivals = array_grow(search->arena, kernel->arrivals, i, &kernel->arrival_capacity,
                                  sizeof *kernel->arrivals);
  arrival.older = (uint32_t)barrier->newest;
  kernel->arrivals[i] = arrival;
  set(search, &kernel->arrival_count, i + 1);
  set(search, &barrier->newest, i + 1);
  set(search, &barrier->arrived, barrier->arrived + 1);
  return i;
}

// --- completion

static int64_t reduce(const Search *search, const KernelBarrier *barrier, Collective collective) {
  const Kernel *kernel = search->kernel;
  int64_t set_count = 0;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older)
    set_count += kernel->arrivals[i - 1].predicate;
  if (collective == COLLECTIVE_VOTE_BALLOT)
    return set_count;
  return collective == COLLECTIVE_VOTE_ALL ? set_count == (int64_t)barrier->arrived : set_count > 0;
}

// The results of bar.red.
static void give_results(Search *search, const KernelBarrier *barrier) {
  Kernel *kernel = search->kernel;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older) {
    const KernelArrival *arrival = &kernel->arrivals[i - 1];
    const Instruction *instruction =
        &search->codes[arrival->thread].thread->instructions[arrival->instruction];
    if (instruction->op == IR_BARRIER && instruction->barrier == BARRIER_RED)
      kernel_set_register(
          search, arrival->thread, instruction->dst,
          values_constant(&search->values,
                          reduce(search, barrier, (Collective)instruction->collective)));
  }
}

// All threads of a block have met (kernel_poll.c).
static void note_exchange(Search *search, const KernelBarrier *barrier) {
  const Kernel *kernel = search->kernel;
  ArenaMark mark = arena_mark(search->temporary);
  uint32_t *threads = ARENA_ARRAY(search->temporary, uint32_t, barrier->arrived + 1);
  uint32_t count = 0;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older) {
    const KernelArrival *arrival = &kernel->arrivals[i - 1];
    const Instruction *instruction =
        &search->codes[arrival->thread].thread->instructions[arrival->instruction];
    if (!code_is_block_barrier(instruction))
      break;
    threads[count++] = arrival->thread;
  }
  if (count == barrier->arrived)
    kernel_note_exchange(search, threads, count, KERNEL_WHOLE_BLOCK, true);
  arena_reset(search->temporary, mark);
}

// A relaxed arrival orders nothing; release fences before it do (spec A.4).
static bool join_fences(Search *search, uint32_t arrival, uint32_t meeting) {
  Graph *graph = &search->graph;
  BITS_EACH(fence, graph->release_fences, graph->words)
  if (graph->events[fence].scope >= SCOPE_CLUSTER && graph_is_po(graph, (uint32_t)fence, arrival) &&
      !graph_add_order(graph, SYNC_CLUSTER, (uint32_t)fence, meeting))
    return false;
  return true;
}

static bool join_relaxed(Search *search, const KernelBarrier *barrier, uint32_t meeting) {
  const Kernel *kernel = search->kernel;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older)
    if (!kernel->arrivals[i - 1].is_ordering &&
        !join_fences(search, kernel->arrivals[i - 1].event, meeting))
      return false;
  return true;
}

// Lets the waiting threads go: every arrival is ordered before every thread that waits.
static bool complete(Search *search, KernelBarrier *barrier) {
  Kernel *kernel = search->kernel;
  ArenaMark mark = arena_mark(search->temporary);
  uint32_t *from = ARENA_ARRAY(search->temporary, uint32_t, barrier->arrived + 1);
  uint32_t count = 0, lowest = UINT32_MAX, meeting;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older) {
    const KernelArrival *arrival = &kernel->arrivals[i - 1];
    if (arrival->is_ordering)
      from[count++] = arrival->event;
    if (arrival->thread < lowest)
      lowest = arrival->thread;
  }
  bool is_consistent = kernel_add_meeting(search, lowest, from, count, &meeting) &&
                       join_relaxed(search, barrier, meeting);
  count = 0;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older)
    if (kernel->arrivals[i - 1].waits)
      from[count++] = kernel->arrivals[i - 1].event;
  is_consistent = is_consistent && graph_order_sets(&search->graph, &meeting, 1, from, count);
  arena_reset(search->temporary, mark);
  give_results(search, barrier);
  note_exchange(search, barrier);
  set(search, &barrier->meeting, meeting + 1ull);
  set(search, &barrier->generation, barrier->generation + 1);
  set(search, &barrier->arrived, 0);
  set(search, &barrier->newest, 0);
  return is_consistent;
}

static const KernelArrival *newest_arrival(const Search *search, const KernelBarrier *barrier) {
  return &search->kernel->arrivals[barrier->newest - 1];
}

static uint32_t warp_size(const Search *search, uint32_t block, uint32_t warp) {
  uint32_t first = search->program->blocks[block].threads[0];
  uint32_t count = search->program->blocks[block].count;
  uint32_t begin = (warp - search->program->threads[first].warp) * 32;
  return count - begin < 32 ? count - begin : 32;
}

static uint32_t count_warp(const Search *search, const KernelBarrier *barrier, uint32_t warp) {
  const Kernel *kernel = search->kernel;
  uint32_t count = 0;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older)
    count += search->program->threads[kernel->arrivals[i - 1].thread].warp == warp;
  return count;
}

static uint32_t count_arrivals(const Search *search, const KernelBarrier *barrier,
                               uint32_t thread) {
  const Kernel *kernel = search->kernel;
  uint32_t count = 0;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older)
    count += kernel->arrivals[i - 1].thread == thread;
  return count;
}

static bool has_arrived(const Search *search, const KernelBarrier *barrier, uint32_t thread) {
  return count_arrivals(search, barrier, thread) > 0;
}

// Threads of a warp that have exited without having arrived before.
static uint32_t exited_in_warp(const Search *search, uint32_t block, const KernelBarrier *barrier,
                               uint32_t warp) {
  const ThreadGroup *threads = &search->program->blocks[block];
  uint32_t count = 0;
  for (uint32_t i = 0; i < threads->count; i++)
    count += search->program->threads[threads->threads[i]].warp == warp &&
             search->threads[threads->threads[i]].status == THREAD_FINISHED &&
             !has_arrived(search, barrier, threads->threads[i]);
  return count;
}

bool kernel_warp_has_arrived(const Search *search, const KernelBarrier *barrier, uint32_t block,
                             uint32_t warp) {
  uint32_t here = count_warp(search, barrier, warp);
  return here &&
         here + exited_in_warp(search, block, barrier, warp) >= warp_size(search, block, warp);
}

// `bar.sync a, b` counts whole warps, once all of a warp's threads that have not exited are there.
static uint64_t counted_threads(const Search *search, uint32_t block,
                                const KernelBarrier *barrier) {
  const Program *program = search->program;
  uint32_t first = program->threads[program->blocks[block].threads[0]].warp;
  uint32_t warps = (program->blocks[block].count + 31) / 32;
  uint64_t sum = 0;
  for (uint32_t warp = first; warp < first + warps; warp++)
    sum += kernel_warp_has_arrived(search, barrier, block, warp) ? 32 : 0;
  return sum;
}

static bool is_complete(const Search *search, uint32_t block, const KernelBarrier *barrier) {
  uint64_t exited = search->kernel->exited[block], total = search->program->blocks[block].count;
  if (!barrier->newest)
    return false;
  const KernelArrival *arrival = newest_arrival(search, barrier);
  // A counted barrier that waits for a warp that has exited hangs on hardware.
  if (arrival->is_counted)
    return counted_threads(search, block, barrier) >= arrival->count;
  return barrier->arrived + exited == total;
}

// All threads of a warp have to be at one instruction of an aligned barrier, and agree on the
// count.
static void check_divergence(Search *search, uint32_t block, const KernelBarrier *barrier) {
  const Kernel *kernel = search->kernel;
  const KernelArrival *newest = newest_arrival(search, barrier);
  const Program *program = search->program;
  for (uint32_t i = newest->older; i; i = kernel->arrivals[i - 1].older) {
    const KernelArrival *arrival = &kernel->arrivals[i - 1];
    const Instruction *a = &search->codes[newest->thread].thread->instructions[newest->instruction];
    const Instruction *b =
        &search->codes[arrival->thread].thread->instructions[arrival->instruction];
    RecordPlace first = {arrival->thread, arrival->instruction};
    RecordPlace second = {newest->thread, newest->instruction};
    bool is_same_warp =
        program->threads[arrival->thread].warp == program->threads[newest->thread].warp;
    // The compiler may make several copies of one barrier, which warps may then take apart.
    // Counted barriers are there for warps that do different things.
    bool is_whole = !arrival->is_counted && arrival->waits && newest->waits;
    bool is_other_call = is_same_warp ? a != b : is_whole && a->span.begin != b->span.begin;
    // A thread that has arrived twice is ahead of its warp, which has been reported.
    if (is_other_call && (count_arrivals(search, barrier, newest->thread) > 1 ||
                          count_arrivals(search, barrier, arrival->thread) > 1))
      continue;
    if (is_other_call && ((a->flags | b->flags) & INSTRUCTION_ALIGNED))
      search_add_fault(search, RULE_BARRIER_DIVERGENCE, first, second);
    else if (arrival->is_counted != newest->is_counted || arrival->count != newest->count ||
             (a->barrier == BARRIER_RED) != (b->barrier == BARRIER_RED))
      search_add_fault(search, RULE_BARRIER_MISMATCH, first, second);
    else
      continue;
    return;
  }
  (void)block;
}

bool kernel_check_barriers(Search *search, uint32_t block) {
  for (uint32_t id = 0; id < BLOCK_BARRIERS; id++) {
    KernelBarrier *barrier = barrier_of(search, block, id);
    if (!is_complete(search, block, barrier))
      continue;
    check_divergence(search, block, barrier);
    if (!complete(search, barrier))
      return false;
  }
  return true;
}

static KernelBarrier *awaited_barrier(const Search *search, uint32_t thread) {
  const ThreadState *state = &search->threads[thread];
  return state->barrier >= CLUSTER_BARRIER
             ? &search->kernel->clusters[state->barrier - CLUSTER_BARRIER]
             : barrier_of(search, search->program->threads[thread].block, (uint32_t)state->barrier);
}

// A cluster wait is ordered behind the completion; what lies between arrive and wait is not.
static bool add_cluster_wait(Search *search, uint32_t thread, const KernelBarrier *barrier) {
  uint32_t event;
  Event wait = {.kind = EVENT_BARRIER, .thread = thread, .flags = EVENT_WAITS};
  return search_add_event(search, wait, &event) &&
         graph_add_order(&search->graph, SYNC_CLUSTER, (uint32_t)barrier->meeting - 1, event);
}

bool kernel_try_barrier(Search *search, uint32_t thread, bool *released) {
  ThreadState *state = &search->threads[thread];
  const KernelBarrier *barrier = awaited_barrier(search, thread);
  *released = barrier->generation > state->generation;
  if (!*released)
    return true;
  set(search, &state->status, THREAD_RUNNING);
  return state->barrier < CLUSTER_BARRIER || add_cluster_wait(search, thread, barrier);
}

// --- arriving

static bool add_arrival_event(Search *search, uint32_t thread, bool waits, uint32_t *event) {
  return search_add_event(search,
                          (Event){.kind = EVENT_BARRIER,
                                  .thread = thread,
                                  .flags = EVENT_ARRIVES | (waits ? EVENT_WAITS : 0)},
                          event);
}

static void wait_at(Search *search, uint32_t thread, uint64_t barrier, uint64_t generation) {
  ThreadState *state = &search->threads[thread];
  set(search, &state->status, THREAD_AT_BARRIER);
  set(search, &state->barrier, barrier);
  set(search, &state->generation, generation);
}

bool kernel_barrier_arrive(Search *search, uint32_t thread, const Instruction *instruction,
                           bool *is_done) {
  uint64_t id, count = 0, predicate = 0;
  *is_done = kernel_number(search, thread, &instruction->src[0], &id) &&
             (instruction->src[1].kind == OPERAND_NONE ||
              kernel_number(search, thread, &instruction->src[1], &count)) &&
             kernel_number(search, thread, &instruction->src[2], &predicate);
  if (!*is_done)
    return true;
  uint32_t block = search->program->threads[thread].block;
  if (id >= BLOCK_BARRIERS) {
    kernel_add_fault(search, thread, RULE_BARRIER_MISMATCH);
    return true;
  }
  if (code_is_block_vote(instruction) && !machine_comes_to_vote(search, thread)) {
    *is_done = false;
    return true;
  }
  bool is_counted = instruction->src[1].kind != OPERAND_NONE;
  if (is_counted && kernel_awaits_turn(search, thread, id, count)) {
    *is_done = false;
    return true;
  }
  KernelBarrier *barrier = barrier_of(search, block, (uint32_t)id);
  KernelArrival arrival = {.thread = thread,
                           .instruction = (uint32_t)search->threads[thread].pc,
                           .waits = instruction->barrier != BARRIER_ARRIVE,
                           .is_ordering = true,
                           .is_counted = is_counted,
                           .count = (uint32_t)count,
                           .predicate = predicate != 0};
  // A warp may arrive once before the barrier is complete, and only warps are counted (spec F.2).
  bool is_early = has_arrived(search, barrier, thread);
  if (is_early || (is_counted && (count == 0 || count % 32 != 0)))
    kernel_add_fault(search, thread, RULE_BARRIER_MISMATCH);
  if (!add_arrival_event(search, thread, arrival.waits, &arrival.event))
    return false;
  if (arrival.waits)
    wait_at(search, thread, id, barrier->generation);
  append(search, barrier, arrival);
  if (is_counted)
    kernel_note_contest(search, thread, (uint32_t)id, barrier, is_early);
  return kernel_check_barriers(search, block);
}

// --- clusters: one barrier, at the first block of the cluster

static uint32_t cluster_of(const Search *search, uint32_t thread) {
  return search->program->threads[thread].place.cluster;
}

static bool cluster_is_complete(const Search *search, uint32_t cluster,
                                const KernelBarrier *barrier) {
  uint64_t total = 0, exited = 0;
  for (uint32_t block = cluster; block < search->program->block_count; block++) {
    if (cluster_of(search, search->program->blocks[block].threads[0]) != cluster)
      break;
    total += search->program->blocks[block].count;
    exited += search->kernel->exited[block];
  }
  return barrier->newest && barrier->arrived + exited == total;
}

bool kernel_check_cluster(Search *search, uint32_t cluster) {
  KernelBarrier *barrier = &search->kernel->clusters[cluster];
  return !cluster_is_complete(search, cluster, barrier) || complete(search, barrier);
}

bool kernel_cluster_arrive(Search *search, uint32_t thread, const Instruction *instruction) {
  uint32_t cluster = cluster_of(search, thread);
  KernelBarrier *barrier = &search->kernel->clusters[cluster];
  ThreadState *state = &search->threads[thread];
  // Arrivals and waits take turns (PTX ISA, "barrier.cluster").
  bool is_wait = instruction->op == IR_CLUSTER_WAIT, has_arrived = state->cluster_generation != 0;
  if (is_wait != has_arrived) {
    kernel_stop_at_fault(search, thread, RULE_BARRIER_MISMATCH);
    return true;
  }
  if (is_wait) {
    wait_at(search, thread, CLUSTER_BARRIER + cluster, state->cluster_generation - 1);
    set(search, &state->cluster_generation, 0);
    return true;
  }
  KernelArrival arrival = {.thread = thread,
                           .instruction = (uint32_t)state->pc,
                           .is_ordering = instruction->sem == SEM_RELEASE};
  if (!add_arrival_event(search, thread, false, &arrival.event))
    return false;
  set(search, &state->cluster_generation, barrier->generation + 1);
  append(search, barrier, arrival);
  return kernel_check_cluster(search, cluster);
}
