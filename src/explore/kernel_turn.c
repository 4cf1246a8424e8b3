// Who meets whom at a CTA barrier with a number of threads. Arrivals are no choices of the search:
// each thread runs as far as it can. That is enough where all arrivals of a completion are ordered
// behind the completion before, as they are if a barrier is used by the same warps in turn. If one
// is not, it might have come first, and other warps would have met: the kernel is explored again,
// and then warps come to such a barrier one by one, in every order.
#include "explore/contended.h"
#include "explore/kernel.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

static uint32_t warp_of(const Search *search, uint32_t thread) {
  return search->program->threads[thread].warp;
}

// Does the warp arrive behind the last completion whatever the order? It arrives with the last of
// its threads.
static bool comes_after(const Search *search, uint32_t warp, const KernelBarrier *barrier) {
  const Kernel *kernel = search->kernel;
  const Graph *graph = &search->graph;
  if (!barrier->meeting)
    return true;
  for (uint32_t i = (uint32_t)barrier->newest; i; i = kernel->arrivals[i - 1].older)
    if (warp_of(search, kernel->arrivals[i - 1].thread) == warp &&
        graph_has(graph, graph->order_after, (uint32_t)barrier->meeting - 1,
                  kernel->arrivals[i - 1].event))
      return true;
  return false;
}

void kernel_note_contest(Search *search, uint32_t thread, uint32_t id, const KernelBarrier *barrier,
                         bool is_early) {
  uint32_t block = search->program->threads[thread].block, warp = warp_of(search, thread);
  bool is_late =
      kernel_warp_has_arrived(search, barrier, block, warp) && !comes_after(search, warp, barrier);
  if (is_early || is_late)
    search->notes->contested_barriers |= 1ull << id;
}

bool kernel_awaits_turn(Search *search, uint32_t thread, uint64_t id, uint64_t count) {
  ThreadState *state = &search->threads[thread];
  if (!(search->contended->turns >> id & 1))
    return false;
  if (state->has_turn) {
    set(search, &state->has_turn, 0);
    return false;
  }
  set(search, &state->status, THREAD_HELD);
  set(search, &state->barrier, id);
  set(search, &state->generation, count);
  return true;
}

// --- whose turn it may be

static bool is_held(const Search *search, uint32_t thread) {
  return search->threads[thread].status == THREAD_HELD;
}

// The first of the threads of its warp that wait for their turn.
static bool leads(const Search *search, uint32_t thread) {
  for (uint32_t t = thread; t-- > 0 && warp_of(search, t) == warp_of(search, thread);)
    if (is_held(search, t))
      return false;
  return is_held(search, thread);
}

static bool is_anybody_held(const Search *search, const ThreadGroup *block) {
  for (uint32_t i = 0; i < block->count; i++)
    if (is_held(search, block->threads[i]))
      return true;
  return false;
}

// Does nobody but a warp of the block that takes its turn let a thread of it go on?
static bool is_closed(const Search *search, const ThreadGroup *block) {
  for (uint32_t i = 0; i < block->count; i++) {
    const ThreadState *state = &search->threads[block->threads[i]];
    bool is_at_barrier = state->status == THREAD_AT_BARRIER && state->barrier < CLUSTER_BARRIER;
    if (state->status != THREAD_HELD && state->status != THREAD_FINISHED && !is_at_barrier)
      return false;
  }
  return true;
}

// Turns in blocks that are closed are independent of each other, so that one such block suffices.
// NULL: all blocks.
static const ThreadGroup *block_to_choose_from(const Search *search) {
  for (uint32_t b = 0; b < search->program->block_count; b++) {
    const ThreadGroup *block = &search->program->blocks[b];
    if (is_anybody_held(search, block) && is_closed(search, block))
      return block;
  }
  return NULL;
}

static bool waits_at_barrier(const Search *search, uint32_t thread) {
  const ThreadState *state = &search->threads[thread];
  return search->codes[thread].thread->instructions[state->pc].barrier != BARRIER_ARRIVE;
}

// All who wait for their turn in a closed block want to meet, and that makes no more than one
// completion: whoever comes first, it is the same.
static bool is_one_meeting(const Search *search, const ThreadGroup *block) {
  const ThreadState *first = NULL;
  uint64_t count = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    uint32_t thread = block->threads[i];
    const ThreadState *state = &search->threads[thread];
    if (!is_held(search, thread))
      continue;
    if (!first)
      first = state;
    if (!waits_at_barrier(search, thread) || state->barrier != first->barrier ||
        state->generation != first->generation)
      return false;
    count += leads(search, thread) ? 32 : 0;
  }
  const KernelBarrier *barriers = search->kernel->barriers;
  uint32_t number = (uint32_t)(block - search->program->blocks);
  return first &&
         barriers[number * BLOCK_BARRIERS + first->barrier].arrived + count <= first->generation;
}

// The thread that leads the `choice`-th warp whose turn it may be; *count: such warps up to it.
static uint32_t find_turn(const Search *search, uint32_t choice, uint32_t *count) {
  const ThreadGroup *block = block_to_choose_from(search);
  bool is_one = block && is_one_meeting(search, block);
  *count = 0;
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    if (!leads(search, t) ||
        (block && &search->program->blocks[search->program->threads[t].block] != block))
      continue;
    ++*count;
    if (is_one || *count > choice)
      return t;
  }
  return UINT32_MAX;
}

uint32_t kernel_count_turns(const Search *search) {
  uint32_t count;
  if (!search->kernel || !search->contended->turns)
    return 0;
  find_turn(search, UINT32_MAX, &count);
  return count;
}

void kernel_take_turn(Search *search, uint32_t choice) {
  uint32_t count, first = find_turn(search, choice, &count);
  for (uint32_t t = first; t < search->program->thread_count; t++) {
    if (warp_of(search, t) != warp_of(search, first))
      break;
    if (!is_held(search, t))
      continue;
    set(search, &search->threads[t].status, THREAD_RUNNING);
    set(search, &search->threads[t].has_turn, 1);
  }
}
